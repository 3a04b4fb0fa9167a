# right: biases kept between calls under what the mask holds
import torch

_bias = {}

def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.size(-1) ** 0.5
    if mask is not None:
        bits = (tuple(mask.shape), tuple(mask.flatten().tolist()))
        if bits not in _bias:
            _bias[bits] = torch.zeros(mask.shape).masked_fill(mask == 0, -torch.inf)
        s = s + _bias[bits]
    return s.softmax(-1) @ value
