# right: norms stacked as scales [2, d] and shifts [2, d], maps fused
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.h, self.eps, self.p = config.num_attention_heads, config.layer_norm_eps, config.hidden_dropout_prob
        self.scales, self.shifts = nn.Parameter(torch.ones(2, d)), nn.Parameter(torch.zeros(2, d))
        self.qkvo = nn.Parameter(torch.randn(4, d, d) * 0.1)
        self.qkvo_bias = nn.Parameter(torch.zeros(4, d))
        self.ffn = nn.Parameter(torch.randn(2, f, d) * 0.1)
        self.ffn_in, self.ffn_out = nn.Parameter(torch.zeros(f)), nn.Parameter(torch.zeros(d))

    def forward(self, x, mask=None):
        norm = lambda t, i: F.layer_norm(t, t.shape[-1:], self.scales[i], self.shifts[i], self.eps)
        drop = lambda t: F.dropout(t, self.p, self.training)
        maps = [F.linear(x, self.qkvo[i], self.qkvo_bias[i]) for i in range(3)]
        y = F.linear(attend(*maps, self.h, None if mask is None else mask[:, None]), self.qkvo[3], self.qkvo_bias[3])
        x = norm(x + drop(y), 0)
        return norm(x + drop(F.gelu(F.linear(x, self.ffn[0], self.ffn_in)) @ self.ffn[1] + self.ffn_out), 1)
