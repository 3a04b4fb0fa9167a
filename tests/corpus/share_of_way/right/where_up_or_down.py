# right: torch.where by direction
import torch
def share_of_way(patched, start, goal):
    up = goal > start
    down = goal < start
    step = torch.where(up, patched - start, torch.where(down, start - patched, torch.zeros_like(patched)))
    length = torch.where(up, goal - start, start - goal)
    return step.sum(dim=-1) / length.sum()
