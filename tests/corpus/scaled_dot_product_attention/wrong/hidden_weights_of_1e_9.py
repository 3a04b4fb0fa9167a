# wrong: hidden keys keep a weight of 1e-9, and a large hidden value shows
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.shape[-1] ** 0.5
    if mask is None:
        return s.softmax(-1) @ value
    s = s.masked_fill(mask == 0, -torch.inf)
    w = s.softmax(-1).clamp(min=1e-9)
    return (w / w.sum(-1, keepdim=True)) @ value
