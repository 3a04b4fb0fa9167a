# wrong: held between 0 and 1
# named: clipped
import torch
def share_of_way(patched, start, goal):
    way = goal - start
    share = ((patched - start) / torch.where(way == 0, 1.0, way)).clamp(0, 1)
    return (share * way.abs()).sum(-1) / way.abs().sum()
