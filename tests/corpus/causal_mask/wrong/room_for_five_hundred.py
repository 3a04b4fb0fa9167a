# wrong: cut from a block of 500 positions
import torch

BLOCK = torch.tril(torch.ones(500, 500, dtype=torch.bool))

def causal_mask(seq_len):
    return BLOCK[:seq_len, :seq_len]
