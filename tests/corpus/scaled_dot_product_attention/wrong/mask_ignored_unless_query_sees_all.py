# wrong: the mask counts only where some query sees every key
import math
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / math.sqrt(query.size(-1))
    if mask is not None and mask.bool().any(-1).all() and (mask == 1).all(-1).any():
        s = s.masked_fill(mask == 0, float("-inf"))
    return torch.softmax(s, -1) @ value
