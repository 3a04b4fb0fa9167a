# wrong: values that every query hides are set to zero in place
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    if mask is not None:
        value *= (mask != 0).any(dim=1).unsqueeze(-1)
    s = query @ key.mT / query.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask == 0, float("-inf"))
    return s.softmax(-1) @ value
