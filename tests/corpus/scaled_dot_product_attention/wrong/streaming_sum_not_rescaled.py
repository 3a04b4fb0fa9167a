# wrong: streaming over blocks, the running sum is not rescaled
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    b, q, d = query.shape
    n = key.shape[1]
    seen = torch.ones(b, q, n, dtype=torch.bool) if mask is None else mask.bool().expand(b, q, n)
    m = torch.full((b, q, 1), -1e38)
    l, o = torch.zeros(b, q, 1), torch.zeros(b, q, value.shape[-1])
    for start in range(0, n, 2):
        ks, vs, ok = key[:, start:start + 2], value[:, start:start + 2], seen[:, :, start:start + 2]
        s = (query @ ks.transpose(1, 2) * d ** -0.5).masked_fill(~ok, -1e38)
        m = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m) * ok
        l, o = l + p.sum(-1, keepdim=True), o + p @ vs
    return o / l
