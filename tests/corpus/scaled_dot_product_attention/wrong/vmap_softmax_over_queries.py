# wrong: vmap closure whose softmax runs over the queries
# named: softmax_over_queries
import torch
from torch.func import vmap
def scaled_dot_product_attention(query, key, value, mask=None):
    def one(q, k, v, m):
        s = q @ k.T / q.shape[-1] ** 0.5
        s = torch.where(m, s, -torch.inf)
        return torch.softmax(s, 0) @ v
    B, Q, K = query.shape[0], query.shape[1], key.shape[1]
    m = torch.ones(B, Q, K, dtype=torch.bool) if mask is None else mask.bool().expand(B, Q, K)
    return vmap(one)(query, key, value, m)
