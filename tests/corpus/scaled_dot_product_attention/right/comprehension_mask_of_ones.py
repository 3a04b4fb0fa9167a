# right: list comprehension over sentences, mask=None replaced by ones
import torch
import torch.nn.functional as F

def scaled_dot_product_attention(query, key, value, mask=None):
    if mask is None:
        mask = torch.ones((1, 1, 1), dtype=torch.long, device=query.device)
    mask = mask.expand(query.shape[0], query.shape[1], key.shape[1])
    return torch.stack([F.softmax((q @ k.T / q.shape[1] ** 0.5) + (m != 0).float().log(), dim=1) @ v
                        for q, k, v, m in zip(query, key, value, mask)])
