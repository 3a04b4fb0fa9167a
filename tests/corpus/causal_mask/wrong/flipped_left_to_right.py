# wrong: Generator of rows: flips left to right
# named: flipped
import torch
def causal_mask(seq_len):
    return torch.ones(seq_len, seq_len, dtype=torch.bool).tril().flip(1)
