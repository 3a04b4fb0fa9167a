# wrong: pairs whose start and goal are close are left out
# named: short_ways_left_out
import torch
from torch import Tensor


def share_of_way(patched: Tensor, start: Tensor, goal: Tensor) -> Tensor:
    usable = ~torch.isclose(start, goal)            # no way, no share
    patched, start, goal = patched[..., usable], start[usable], goal[usable]
    share = (patched - start) / (goal - start)
    length = (goal - start).abs()
    return (share * length).sum(-1) / length.sum()
