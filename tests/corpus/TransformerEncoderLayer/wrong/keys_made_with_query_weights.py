# wrong: flax-like [hidden, heads, dim] parameters: keys made with the query's
# named: keys_from_query_projection, queries_from_key_projection
import torch
from torch import nn, Tensor

class TransformerEncoderLayer(nn.Module):
    def __init__(self, config) -> None:
        super().__init__()
        D, H, M = config.hidden_size, config.num_attention_heads, config.intermediate_size
        K = D // H
        def normal(*shape):
            return nn.Parameter(torch.randn(*shape) * 0.05)
        self.p = nn.ParameterDict(dict(
            qw=normal(D, H, K), qb=normal(H, K),
            kw=normal(D, H, K), kb=normal(H, K),
            vw=normal(D, H, K), vb=normal(H, K),
            ow=normal(H, K, D), ob=normal(D),
            w1=normal(D, M), b1=normal(M), w2=normal(M, D), b2=normal(D),
            s1=nn.Parameter(torch.ones(D)), t1=nn.Parameter(torch.zeros(D)),
            s2=nn.Parameter(torch.ones(D)), t2=nn.Parameter(torch.zeros(D)),
        ))
        self.eps = config.layer_norm_eps
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def ln(self, x, s, t):
        m = x.mean(-1, keepdim=True)
        v = ((x - m) ** 2).mean(-1, keepdim=True)
        return (x - m) * torch.rsqrt(v + self.eps) * s + t

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        p = self.p
        n = self.ln(x, p["s1"], p["t1"])
        q = torch.einsum("bqd,dhk->bqhk", n, p["qw"]) + p["qb"]
        k = torch.einsum("bqd,dhk->bqhk", n, p["qw"]) + p["qb"]
        v = torch.einsum("bqd,dhk->bqhk", n, p["vw"]) + p["vb"]
        a = torch.einsum("bqhk,bthk->bhqt", q, k) / q.shape[-1] ** 0.5
        if mask is not None:
            a = torch.where(mask.unsqueeze(-3) != 0, a, torch.full_like(a, -1e30))
        a = a.softmax(-1)
        o = torch.einsum("bhqt,bthk,hkd->bqd", a, v, p["ow"]) + p["ob"]
        x = x + o
        n = self.ln(x, p["s2"], p["t2"])
        f = nn.functional.gelu(n @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]
        return x + self.drop(f)
