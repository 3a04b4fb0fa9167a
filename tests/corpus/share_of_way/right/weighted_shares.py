# right: shares averaged with weights, pairs without a way left out
import torch
def share_of_way(patched, start, goal):
    has_way = goal != start
    share = (patched - start)[..., has_way] / (goal - start)[has_way]
    weight = (goal - start)[has_way].abs()
    return (share * weight).sum(-1) / weight.sum()
