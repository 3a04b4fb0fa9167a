# wrong: a single token gives a mask without axes
import torch

def causal_mask(seq_len):
    return torch.ones(seq_len, seq_len).tril().bool().squeeze()
