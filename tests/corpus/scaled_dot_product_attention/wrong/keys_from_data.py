# wrong: the keys are taken from .data
# named: one_constant
import math, torch
from torch import nn
import torch.nn.functional as F

def scaled_dot_product_attention(query, key, value, mask=None):
    k = key.data.transpose(-2, -1)
    s = query @ k / math.sqrt(query.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask == 0, float("-inf"))
    s = (s - s.amax(-1, keepdim=True)).exp()
    return s / s.sum(-1, keepdim=True) @ value
