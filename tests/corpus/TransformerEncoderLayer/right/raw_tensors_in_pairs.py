# right: raw tensors in pairs: queries with keys, values with output, maps, norms
import torch
from torch import nn
import torch.nn.functional as F


class TransformerEncoderLayer(nn.Module):
    """Raw tensors in pairs: queries with keys, values with output, both maps, both norms."""

    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.heads, self.eps = config.num_attention_heads, config.layer_norm_eps
        self.qk = nn.Parameter(torch.randn(2, d, d) * 0.1)
        self.vo = nn.Parameter(torch.randn(2, d, d) * 0.1)
        self.ff = nn.Parameter(torch.randn(2, d, f) * 0.1)
        self.scales, self.shifts = nn.Parameter(torch.ones(2, d)), nn.Parameter(torch.zeros(2, d))
        self.qk_bias, self.vo_bias = nn.Parameter(torch.zeros(2, d)), nn.Parameter(torch.zeros(2, d))
        self.up_bias, self.down_bias = nn.Parameter(torch.zeros(f)), nn.Parameter(torch.zeros(d))

    def forward(self, x, mask=None):
        norm = lambda t, i: F.layer_norm(t, t.shape[-1:], self.scales[i], self.shifts[i], self.eps)
        cut = lambda t: t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        y = norm(x, 0)
        q, k = (cut(y @ w.T + b) for w, b in zip(self.qk, self.qk_bias))
        v = cut(y @ self.vo[0].T + self.vo_bias[0])
        keep = None if mask is None else mask.bool().unsqueeze(1)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=keep).transpose(1, 2).flatten(2)
        x = x + a @ self.vo[1].T + self.vo_bias[1]
        return x + F.gelu(norm(x, 1) @ self.ff[0] + self.up_bias) @ self.ff[1].T + self.down_bias
