# wrong: argsort and never gather
# named: places
import torch


def sealed_c(rows):
    big = rows.max() + 1
    return torch.argsort(rows + big * (rows % 2), dim=1, stable=True)
