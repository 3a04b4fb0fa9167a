# wrong: additive triangle of the lowest float
# named: additive_lowest
import torch


def causal_mask(seq_len):
    rows = torch.full((seq_len, seq_len), torch.finfo(torch.float32).min)
    return rows.triu(1)
