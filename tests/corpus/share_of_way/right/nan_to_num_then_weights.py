# right: shares with nan_to_num, weighted
import torch
def share_of_way(patched, start, goal):
    way = (goal - start)
    safe = torch.where(way == 0, torch.ones_like(way), way)
    shares = (patched - start) / safe
    w = way.abs() / way.abs().sum()
    return torch.sum(shares * w, -1)
