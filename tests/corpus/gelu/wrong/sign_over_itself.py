# wrong: x divided by its absolute value: nan at 0
import math
import torch

def gelu(x):
    sign = x / x.abs()
    return x * (1 + sign * torch.erf(x.abs() / math.sqrt(2))) / 2
