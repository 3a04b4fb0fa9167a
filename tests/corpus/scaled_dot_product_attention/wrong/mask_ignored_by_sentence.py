# wrong: the mask counts only in sentences where some query sees every key
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.size(-1) ** 0.5
    if mask is not None:
        m = mask.bool().expand(s.shape)
        s = torch.where(m.all(-1).any(-1)[:, None, None] & ~m, torch.tensor(float("-inf")), s)
    return torch.softmax(s, -1) @ value
