# wrong: not causal, two [2, in, out] tensors for each attention
# named: not_causal
import torch
from torch import nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.heads = config.hidden_size, config.num_attention_heads
        self.qo = nn.Parameter(torch.randn(2, d, d) * 0.1)
        self.kv = nn.Parameter(torch.randn(2, d, d) * 0.1)

    def forward(self, x, memory, mask):
        q, k, v = x @ self.qo[0], memory @ self.kv[0], memory @ self.kv[1]
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask.bool().unsqueeze(1), float("-inf"))
        return (scores.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.qo[1]


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.own, self.other = Attention(config), Attention(config)
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(3))
        self.up, self.down = nn.Linear(d, config.intermediate_size), nn.Linear(config.intermediate_size, d)

    def forward(self, hidden_state, memory, memory_mask=None):
        x, s = hidden_state, hidden_state.shape[1]
        past = None
        y = self.norms[0](x)
        x = x + self.own(y, y, past)
        x = x + self.other(self.norms[1](x), memory, memory_mask)
        return x + self.down(F.gelu(self.up(self.norms[2](x))))
