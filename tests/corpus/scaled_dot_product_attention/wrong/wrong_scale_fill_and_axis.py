# wrong: divided by d_k, hidden scores filled with 1e-9, softmax over the queries
# named: scaled_by_width, mask_fills_zero, softmax_over_queries
import torch
def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.shape[-1]
    if mask is not None:
        s = s.masked_fill(mask == 0, 1e-9)
    return torch.softmax(s, 1) @ value
