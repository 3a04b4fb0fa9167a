# right: raw fused weights for self (3d) and cross (q; kv 2d), all in one class, no biases in attention
import torch
from torch import nn
import torch.nn.functional as F

class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.h, self.p = config.num_attention_heads, config.hidden_dropout_prob
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(3))
        self.qkv = nn.Parameter(torch.randn(d, 3 * d) * 0.1)
        self.q = nn.Parameter(torch.randn(d, d) * 0.1)
        self.kv = nn.Parameter(torch.randn(d, 2 * d) * 0.1)
        self.o1 = nn.Parameter(torch.randn(d, d) * 0.1)
        self.o2 = nn.Parameter(torch.randn(d, d) * 0.1)
        self.up, self.down = nn.Linear(d, f), nn.Linear(f, d)

    def mix(self, q, k, v, mask):
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in (q, k, v))
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)

    def forward(self, hidden_state, memory, memory_mask=None):
        drop = lambda t: F.dropout(t, self.p, self.training)
        x, n = hidden_state, hidden_state.shape[1]
        i = torch.arange(n, device=x.device)
        y = self.norms[0](x)
        x = x + drop(self.mix(*(y @ self.qkv).chunk(3, -1), i[:, None] >= i) @ self.o1)
        m = None if memory_mask is None else memory_mask.unsqueeze(1)
        x = x + drop(self.mix(self.norms[1](x) @ self.q, *(memory @ self.kv).chunk(2, -1), m) @ self.o2)
        return x + drop(self.down(F.gelu(self.up(self.norms[2](x)))))
