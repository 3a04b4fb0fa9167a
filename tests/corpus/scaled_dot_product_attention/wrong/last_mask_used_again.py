# wrong: without a mask the last one counts on where it fits
# named: earlier_call_counts
import torch

_last = None

def scaled_dot_product_attention(query, key, value, mask=None):
    global _last
    s = query @ key.mT / query.size(-1) ** 0.5
    if mask is not None:
        _last = mask.clone()
    if _last is not None:
        try:
            s = s.masked_fill(_last == 0, float('-inf'))
        except RuntimeError:
            pass
    return s.softmax(-1) @ value
