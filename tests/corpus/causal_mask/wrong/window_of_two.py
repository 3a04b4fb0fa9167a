# wrong: window of two positions only
import torch
def causal_mask(seq_len):
    i = torch.arange(seq_len)
    d = i[:, None] - i[None, :]
    return (d >= 0) & (d < 2)
