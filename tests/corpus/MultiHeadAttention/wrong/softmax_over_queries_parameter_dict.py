# wrong: ParameterDict weights; the softmax runs over the query axis
# named: softmax_over_queries
import torch
from torch import nn, einsum

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        k = d // h
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
            e = e.masked_fill(mask[..., None, :, :] == 0, float("-inf"))
        p = e.softmax(-2)
        return einsum("bhij,bhjk,hkd->bid", p, v, w["o"])
