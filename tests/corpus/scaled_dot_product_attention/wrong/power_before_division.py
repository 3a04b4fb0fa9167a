# wrong: the power binds before the division: half of d_k
# named: scaled_by_half_width
import torch
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.mT / (key.shape[-1] ** 1 / 2)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float('-inf'))
    return scores.softmax(-1) @ value
