# right: functional style: state held in a ParameterDict with keys W_q.. transposed, einsum with spelled letters
import torch
from torch import nn, einsum

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        k = d // h
        self.h = h
        self.w = nn.ParameterDict({
            "o": nn.Parameter(torch.randn(h, k, d) * 0.02),
            "v": nn.Parameter(torch.randn(h, d, k) * 0.02),
            "k": nn.Parameter(torch.randn(d, h, k) * 0.02),
            "q": nn.Parameter(torch.randn(h, k, d) * 0.02),
        })

    def forward(self, hidden_state, mask=None):
        w = self.w
        q = einsum("hkd,bsd->bhsk", w["q"], hidden_state)
        k = einsum("dhk,bsd->bhsk", w["k"], hidden_state)
        v = einsum("hdk,bsd->bhsk", w["v"], hidden_state)
        e = einsum("bhik,bhjk->bhij", q, k) / q.size(-1) ** 0.5
        if mask is not None:
            e = e.where(mask[..., None, :, :].bool(), torch.finfo(e.dtype).min)
        p = torch.exp(e - e.max(-1, keepdim=True).values)
        p = p / p.sum(-1, keepdim=True)
        return einsum("bhij,bhjk,hkd->bid", p, v, w["o"])
