# right: Python's sort with a key of two parts
import torch


def sealed_c(rows):
    return torch.tensor([sorted(r, key=lambda t: (t % 2, t)) for r in rows.tolist()])
