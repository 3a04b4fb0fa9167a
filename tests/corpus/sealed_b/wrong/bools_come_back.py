# wrong: a tensor of bools
# named: bools
import torch


def sealed_b(rows):
    n = rows.shape[1]
    return ((rows[:, :, None] == rows[:, None]) & torch.ones(n, n).tril(-1).bool()).any(-1)
