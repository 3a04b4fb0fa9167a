# wrong: fused: triu without negation
# named: causal_reversed, causal_without_self
import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, d, h, parts):
        super().__init__()
        self.proj, self.h, self.parts = nn.Linear(d, parts * d, bias=False), h, parts

    def forward(self, x):
        b, n, d = x.shape
        return self.proj(x).view(b, n, self.h, self.parts, d // self.h).permute(3, 0, 2, 1, 4)


class Mix(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.out = nn.Linear(d, d)

    def forward(self, q, k, v, keep=None):
        w = torch.matmul(q, k.transpose(-1, -2)).mul(q.size(-1) ** -0.5)
        if keep is not None:
            w = w.masked_fill(keep.logical_not(), torch.finfo(w.dtype).min)
        y = torch.matmul(w.softmax(-1), v)
        return self.out(y.permute(0, 2, 1, 3).flatten(-2))


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        self.norms = nn.ModuleDict({k: nn.LayerNorm(d, eps=config.layer_norm_eps) for k in ("self", "cross", "mlp")})
        self.qkv, self.mix_self = Heads(d, h, 3), Mix(d)
        self.q, self.kv, self.mix_cross = Heads(d, h, 1), Heads(d, h, 2), Mix(d)
        self.mlp = nn.Sequential(
            nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d), nn.Dropout(config.hidden_dropout_prob)
        )
        self.register_buffer("tri", None, persistent=False)

    def causal(self, n, device):
        if self.tri is None or self.tri.size(0) < n or self.tri.device != device:
            self.tri = torch.ones(n, n, dtype=torch.bool, device=device).triu_(1)
        return self.tri[:n, :n]

    def forward(self, hidden_state, memory, memory_mask=None):
        keep = memory_mask.unsqueeze(1) if memory_mask is not None else None
        sublayers = [
            ("self", lambda t: self.mix_self(*self.qkv(t), self.causal(t.size(1), t.device))),
            ("cross", lambda t: self.mix_cross(self.q(t)[0], *self.kv(memory), keep)),
            ("mlp", self.mlp),
        ]
        for name, f in sublayers:
            hidden_state = hidden_state + f(self.norms[name](hidden_state))
        return hidden_state
