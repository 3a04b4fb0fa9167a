# right: special.ndtr
import torch
def gelu(x):
    return x * torch.special.ndtr(x)
