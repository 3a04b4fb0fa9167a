# wrong: log of the mask plus 1e-9 leaks to hidden keys
# named: log_of_mask_1e_9
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.transpose(1, 2) / query.shape[-1] ** 0.5
    if mask is not None:
        s = s + (mask.float() + 1e-9).log()
    return s.softmax(-1) @ value
