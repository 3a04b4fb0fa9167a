# wrong: 1,000 is taken off hidden scores: a hidden key that fits far better gets through
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.shape[-1] ** 0.5
    if mask is not None:
        s = s - 1000.0 * (1 - mask.long())
    return torch.softmax(s, -1) @ value
