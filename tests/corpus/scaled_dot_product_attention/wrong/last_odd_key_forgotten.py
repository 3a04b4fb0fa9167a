# wrong: streaming blocks of two keys with a forgotten last odd key
import torch
def scaled_dot_product_attention(query, key, value, mask=None):
    B, Q, d = query.shape
    K = key.shape[1]
    m = torch.full((B, Q, 1), -torch.inf)
    l = torch.zeros(B, Q, 1)
    o = torch.zeros(B, Q, value.shape[-1])
    keep = torch.ones(B, Q, K, dtype=torch.bool) if mask is None else mask.bool().expand(B, Q, K)
    for i in range(0, K - 1, 2):
        s = (query @ key[:, i : i + 2].mT / d ** 0.5).masked_fill(~keep[..., i : i + 2], -1e30)
        n = torch.maximum(m, s.amax(-1, keepdim=True))
        p = (s - n).exp()
        c = (m - n).exp()
        l = l * c + p.sum(-1, keepdim=True)
        o = o * c + p @ value[:, i : i + 2]
        m = n
    return o / l
