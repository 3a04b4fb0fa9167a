# wrong: raw [d, heads, dim] tensors; masked after the exponentials, so a hidden score of 1000 leaves 0 / 0
# named: maximum_of_all_keys
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        e, h = config.hidden_size, config.num_attention_heads
        d = e // h
        self.wq = nn.Parameter(torch.randn(e, h, d) * 0.1)
        self.wk = nn.Parameter(torch.randn(e, h, d) * 0.1)
        self.wv = nn.Parameter(torch.randn(e, h, d) * 0.1)
        self.wo = nn.Parameter(torch.randn(h, d, e) * 0.1)

    def forward(self, hidden_state, mask=None):
        q = torch.tensordot(hidden_state, self.wq, dims=1)
        k = torch.tensordot(hidden_state, self.wk, dims=1)
        v = torch.tensordot(hidden_state, self.wv, dims=1)
        s = torch.einsum("bihd,bjhd->bhij", q, k) / q.size(-1) ** 0.5
        e = torch.exp(s - s.amax(-1, keepdim=True).detach())
        if mask is not None:
            e = e * mask[:, None].to(e.dtype)
        a = e / e.sum(-1, keepdim=True)
        return torch.tensordot(torch.einsum("bhij,bjhd->bihd", a, v), self.wo, dims=2)
