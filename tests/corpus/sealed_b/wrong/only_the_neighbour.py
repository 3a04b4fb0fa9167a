# wrong: compares with the place right in front alone
# named: neighbour
import torch


def sealed_b(rows):
    out = torch.zeros_like(rows)
    out[:, 1:] = (rows[:, 1:] == rows[:, :-1]).long()
    return out
