# wrong: exp of a square and of its negative are multiplied: large numbers give nan
import math
import torch

def gelu(x):
    far = torch.exp(x * x) * torch.erfc(x.abs() / math.sqrt(2)) * torch.exp(-x * x)
    return torch.where(x > 0, x * (1 - far / 2), x * far / 2)
