# right: torch.func.vmap of a single-query closure
import torch
from torch.func import vmap
def scaled_dot_product_attention(query, key, value, mask=None):
    B, Q, d = query.shape
    K = key.shape[1]
    m = torch.ones(B, Q, K, dtype=torch.bool) if mask is None else mask.bool().expand(B, Q, K)
    def one(q, k, v, keep):
        s = torch.where(keep, (k * q).sum(-1) * d ** -0.5, -torch.inf)
        p = torch.exp(s - s.amax())
        return (p / p.sum()) @ v
    return vmap(vmap(one, in_dims=(0, None, None, 0)))(query, key, value, m)
