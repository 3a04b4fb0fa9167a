# wrong: the first mask of a shape is kept and used for later ones of that shape
import torch

_last = None

def scaled_dot_product_attention(query, key, value, mask=None):
    global _last
    s = query @ key.mT / query.size(-1) ** 0.5
    if mask is not None and (_last is None or _last.shape != mask.shape):
        _last = mask.clone()
    if mask is not None:
        s = s.masked_fill(_last == 0, float('-inf'))
    return s.softmax(-1) @ value
