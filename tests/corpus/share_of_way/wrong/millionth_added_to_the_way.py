# wrong: a millionth is added to the way
import torch
from torch import nn

def share_of_way(patched, start, goal):
    way = goal - start
    return ((patched - start) * way.sign()).sum(-1) / (way.abs().sum() + 1e-6)
