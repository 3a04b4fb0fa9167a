# right: takes a mask of two axes for one of keys
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.size(-1) ** 0.5
    if mask is not None:
        if mask.dim() == 2:
            mask = mask.unsqueeze(1)
        s = s.masked_fill(mask == 0, float("-inf"))
    return s.softmax(-1) @ value
