# right: streaming softmax over keys, as in flash attention
import torch
from torch import Tensor
from typing import Optional

def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, mask: Optional[Tensor] = None) -> Tensor:
    b, q, d = query.shape
    n = key.shape[1]
    seen = torch.ones(b, q, n, dtype=torch.bool) if mask is None else mask.bool().expand(b, q, n)
    m = torch.full((b, q, 1), -1e38)
    l = torch.zeros(b, q, 1)
    o = torch.zeros(b, q, value.shape[-1])
    for start in range(0, n, 2):
        ks, vs, ok = key[:, start:start + 2], value[:, start:start + 2], seen[:, :, start:start + 2]
        s = (query @ ks.transpose(1, 2) * d ** -0.5).masked_fill(~ok, -1e38)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - new) * ok
        old = torch.exp(m - new)
        l, o, m = l * old + p.sum(-1, keepdim=True), o * old + p @ vs, new
    return o / l
