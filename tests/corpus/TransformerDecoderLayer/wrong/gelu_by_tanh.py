# wrong: gelu tanh
# named: gelu_tanh
import torch
from torch import nn
import torch.nn.functional as F
class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        D = config.hidden_size
        self.H = config.num_attention_heads
        self.proj = nn.ModuleDict({n: nn.Linear(D, D) for n in ["sq", "sk", "sv", "so", "cq", "ck", "cv", "co"]})
        self.norms = nn.ModuleList([nn.LayerNorm(D, eps=config.layer_norm_eps) for _ in range(3)])
        self.ff_in = nn.Linear(D, config.intermediate_size)
        self.ff_out = nn.Linear(config.intermediate_size, D)
        self.p = config.hidden_dropout_prob
    def heads(self, t):
        return t.unflatten(-1, (self.H, -1)).movedim(-2, 1)
    def attend(self, q, k, v, keep=None):
        s = q @ k.mT / q.shape[-1] ** 0.5
        if keep is not None:
            s = s.masked_fill(~keep, -torch.inf)
        return (s.softmax(-1) @ v).movedim(1, -2).flatten(-2)
    def forward(self, hidden_state, memory, memory_mask=None):
        x = hidden_state
        n = self.norms[0](x)
        q, k, v = (self.heads(self.proj["s" + c](n)) for c in "qkv")
        steps = [self.attend(q[:, :, t:t + 1], k[:, :, :t + 1], v[:, :, :t + 1]) for t in range(x.shape[1])]
        x = x + self.proj["so"](torch.cat(steps, dim=1))
        n = self.norms[1](x)
        keep = None if memory_mask is None else memory_mask.bool().unsqueeze(-3)
        c = self.attend(self.heads(self.proj["cq"](n)), self.heads(self.proj["ck"](memory)), self.heads(self.proj["cv"](memory)), keep)
        x = x + self.proj["co"](c)
        y = self.ff_out(F.gelu(self.ff_in(self.norms[2](x)), approximate='tanh'))
        return x + F.dropout(y, self.p, self.training)
