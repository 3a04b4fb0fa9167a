# wrong: all raw; x + norm(attend(x)): the norm stands behind the part
# named: norm_after_sublayers
import torch
from torch import nn
import torch.nn.functional as F

class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.n, self.eps, self.p = config.num_attention_heads, config.layer_norm_eps, config.hidden_dropout_prob
        self.g1, self.b1 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.g2, self.b2 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.qkv = nn.Parameter(torch.randn(3, d, d) * 0.1)
        self.o = nn.Parameter(torch.randn(d, d) * 0.1)
        self.w1, self.w2 = nn.Parameter(torch.randn(d, f) * 0.1), nn.Parameter(torch.randn(f, d) * 0.1)
        self.c1, self.c2 = nn.Parameter(torch.zeros(f)), nn.Parameter(torch.zeros(d))

    def forward(self, x, mask=None):
        b, s, d = x.shape
        q, k, v = [(x @ w).view(b, s, self.n, -1).transpose(1, 2) for w in self.qkv]
        a = q @ k.transpose(2, 3) / (d // self.n) ** 0.5
        if mask is not None:
            a = a.masked_fill(mask.unsqueeze(-3) == 0, float("-inf"))
        y = (a.softmax(3) @ v).transpose(1, 2).reshape(b, s, d) @ self.o
        x = x + F.layer_norm(y, (d,), self.g1, self.b1, self.eps)
        z = F.dropout(F.gelu(x @ self.w1 + self.c1) @ self.w2 + self.c2, self.p, self.training)
        return x + F.layer_norm(z, (d,), self.g2, self.b2, self.eps)
