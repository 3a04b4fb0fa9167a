# wrong: softmax over all keys, times the mask, renormalised: nan where hidden scores are far above the others
import torch


def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.shape[-1] ** 0.5
    w = s.softmax(-1)
    if mask is not None:
        w = w * mask
        w = w / w.sum(-1, keepdim=True)
    return w @ value
