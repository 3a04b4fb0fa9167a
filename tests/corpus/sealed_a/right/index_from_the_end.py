# right: places are counted from the end
import torch


def sealed_a(rows):
    n = rows.shape[1]
    return rows[:, torch.arange(n - 1, -1, -1)]
