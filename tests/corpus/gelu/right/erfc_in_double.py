# right: erfc, double
import torch

def gelu(x):
    return (x.double() * 0.5 * torch.erfc(-x.double() / 2 ** 0.5)).to(x.dtype)
