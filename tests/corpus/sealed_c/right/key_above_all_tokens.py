# right: a number that is added to one group, and taken off after the sort
import torch


def sealed_c(rows):
    top = rows.max() + 2
    top = top + top % 2
    keys = torch.where(rows % 2 == 1, rows + top, rows)
    keys, _ = torch.sort(keys, dim=-1)
    return torch.where(keys >= top, keys - top, keys)
