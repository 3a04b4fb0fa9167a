# wrong: says how many times it stood before
# named: how_often
import torch


def sealed_b(rows):
    out = torch.zeros_like(rows)
    for i in range(rows.shape[1]):
        for j in range(i):
            out[:, i] += rows[:, i] == rows[:, j]
    return out
