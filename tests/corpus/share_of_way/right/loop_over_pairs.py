# right: a loop over pairs
import torch

def share_of_way(patched, start, goal):
    total, walked = 0.0, torch.zeros(patched.shape[:-1])
    for i in range(len(start)):
        way = goal[i] - start[i]
        total = total + way.abs()
        if way > 0:
            walked = walked + (patched[..., i] - start[i])
        elif way < 0:
            walked = walked - (patched[..., i] - start[i])
    return walked / total
