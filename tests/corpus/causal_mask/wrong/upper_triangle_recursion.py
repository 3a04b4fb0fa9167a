# wrong: recursion the other way: upper triangle
# named: upper
import torch

def causal_mask(seq_len):
    full = torch.zeros(seq_len, seq_len, dtype=torch.bool)
    if seq_len:
        full[0] = True
        full[1:, 1:] = causal_mask(seq_len - 1)
    return full
