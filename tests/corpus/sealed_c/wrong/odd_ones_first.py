# wrong: the other group first
# named: odd_first
import torch


def sealed_c(rows):
    return torch.tensor([sorted(r, key=lambda t: (1 - t % 2, t)) for r in rows.tolist()])
