# right: recursion
import torch

def causal_mask(seq_len):
    if seq_len == 0:
        return torch.zeros(0, 0, dtype=torch.bool)
    full = torch.zeros(seq_len, seq_len, dtype=torch.bool)
    full[:-1, :-1] = causal_mask(seq_len - 1)
    full[-1] = True
    return full
