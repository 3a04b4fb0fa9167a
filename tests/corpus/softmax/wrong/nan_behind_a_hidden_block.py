# wrong: blocks of 16 entries; a first block of −inf alone leaves nan
# named: nan_behind_hidden
import torch


def softmax(x, dim):
    rows = x.transpose(dim, -1)
    peak = torch.full(rows.shape[:-1] + (1,), -torch.inf, dtype=x.dtype)
    norm = torch.zeros_like(peak)
    for part in rows.split(16, -1):
        higher = torch.maximum(peak, part.max(-1, keepdim=True).values)
        norm = norm * (peak - higher).exp() + (part - higher).exp().sum(-1, keepdim=True)
        peak = higher
    return ((rows - peak).exp() / norm).transpose(dim, -1)
