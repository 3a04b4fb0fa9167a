# wrong: in ascending order
# named: ascending
import torch


def sealed_c(rows):
    return torch.sort(rows, dim=-1).values
