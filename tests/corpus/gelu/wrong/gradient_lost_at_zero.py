# wrong: the root of a square: the numbers are right, the gradient at 0 is nan
import math
import torch

def gelu(x):
    size = torch.sqrt(x * x)
    inside = torch.erf(size / math.sqrt(2))
    return (x + size * inside) / 2
