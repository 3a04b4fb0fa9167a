# wrong: divides by a tiny number where there is no way
import torch
def share_of_way(patched, start, goal):
    way = goal - start
    share = (patched - start) / (way + 1e-12 * (way == 0))
    return (share * way.abs()).sum(-1) / way.abs().sum()
