# wrong: a way of 0.001, the shortest there may be, is left out
# named: short_ways_left_out
import torch

def share_of_way(patched, start, goal):
    way = goal - start
    has_way = way.abs() > 1e-3
    towards = torch.where(has_way, (patched - start) * way.sign(), 0.0)
    return towards.sum(-1) / torch.where(has_way, way.abs(), 0.0).sum()
