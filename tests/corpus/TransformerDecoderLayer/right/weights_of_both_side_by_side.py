# right: both attentions in one [8d, d] weight, scaled at run time
import math
import torch
from torch import nn
import torch.nn.functional as F

def mix(q, k, v, mask=None):
    # each [batch, heads, seq, dim]
    s = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.unsqueeze(-3) == 0, float("-inf"))
    return s.softmax(-1) @ v


def heads(x, n):
    return x.unflatten(-1, (n, -1)).transpose(1, 2)


def merge(x):
    return x.transpose(1, 2).flatten(2)


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m, self.n = config.hidden_size, config.intermediate_size, config.num_attention_heads
        self.eps, self.drop = config.layer_norm_eps, nn.Dropout(config.hidden_dropout_prob)
        self.w, self.b = nn.Parameter(torch.randn(8 * d, d)), nn.Parameter(torch.zeros(8 * d))
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=self.eps) for _ in range(3))
        self.up, self.down = nn.Linear(d, m), nn.Linear(m, d)

    def attend(self, x, y, w, b, mask):
        q, k, v = (heads(F.linear(t, w[i], b[i]), self.n) for i, t in enumerate((x, y, y)))
        return F.linear(merge(mix(q, k, v, mask)), w[3], b[3])

    def forward(self, hidden_state, memory, memory_mask=None):
        causal = torch.ones(hidden_state.shape[1], hidden_state.shape[1], device=memory.device).tril()[None]
        d = hidden_state.shape[-1]
        w, b = (self.w / d**0.5).view(2, 4, d, d), self.b.view(2, 4, d)
        y = self.norms[0](hidden_state)
        x = hidden_state + self.attend(y, y, w[0], b[0], causal)
        x = x + self.attend(self.norms[1](x), memory, w[1], b[1], memory_mask)
        return x + self.drop(self.down(F.gelu(self.up(self.norms[2](x)))))
