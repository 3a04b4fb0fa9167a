# right: a mask of earlier places, as in causal attention
import torch


def sealed_b(rows):
    n = rows.size(1)
    earlier = torch.tril(torch.ones(n, n, dtype=torch.bool), diagonal=-1)
    equal = rows[:, :, None].eq(rows[:, None, :])
    return (equal & earlier).sum(-1).clamp(max=1)
