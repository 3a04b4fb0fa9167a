# wrong: post-norm, everything in one class with raw parameters
# named: other_norm_order
import torch
from torch import nn
import torch.nn.functional as F


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.n, self.p = config.num_attention_heads, config.hidden_dropout_prob
        for name in ("wq", "wk", "wv", "wo"):
            setattr(self, name, nn.Parameter(torch.randn(d, d) * 0.02))
            setattr(self, name.replace("w", "b"), nn.Parameter(torch.zeros(d)))
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.up, self.down = nn.Linear(d, f), nn.Linear(f, d)

    def attend(self, x, mask):
        q, k, v = ((x @ getattr(self, "w" + c) + getattr(self, "b" + c)).unflatten(-1, (self.n, -1)).transpose(1, 2) for c in "qkv")
        s = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.wo + self.bo

    def forward(self, x, mask=None):
        x = self.ln1(x + self.attend(x, mask))
        return self.ln2(x + F.dropout(self.down(F.gelu(self.up(x))), self.p, self.training))
