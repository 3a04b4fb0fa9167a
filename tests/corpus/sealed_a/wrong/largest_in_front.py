# wrong: sorts, the largest first
# named: descending
import torch


def sealed_a(rows):
    return torch.sort(rows, dim=1, descending=True)[0]
