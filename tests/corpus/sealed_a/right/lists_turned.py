# right: plain lists, put together again
import torch


def sealed_a(rows):
    return torch.tensor([list(reversed(r)) for r in rows.tolist()], dtype=torch.long)
