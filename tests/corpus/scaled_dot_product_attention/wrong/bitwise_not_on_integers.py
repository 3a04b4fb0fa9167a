# wrong: mask with ~ on integers
# named: integers_inverted
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill((~mask).bool(), -1e9)
    return s.softmax(-1) @ value
