# wrong: a loop from 1 on: no query sees key 0 but the first
import torch

def causal_mask(seq_len):
    mask = torch.zeros(seq_len, seq_len, dtype=torch.bool)
    mask[0, 0] = True
    for i in range(1, seq_len):
        mask[i, 1 : i + 1] = True
    return mask
