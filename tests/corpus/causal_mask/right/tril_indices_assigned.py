# right: tril_indices, boolean assignment
import torch
def causal_mask(seq_len):
    keep = torch.zeros((seq_len, seq_len), dtype=torch.bool)
    r, c = torch.tril_indices(seq_len, seq_len)
    keep[r, c] = True
    return keep
