# right: every parameter raw in one class, [d, d] transposed, meaningless names, norms stacked in a [2, 2, d] tensor
import torch
from torch import nn
import torch.nn.functional as F

class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.n, self.eps, self.p = config.num_attention_heads, config.layer_norm_eps, config.hidden_dropout_prob
        def new(*shape):
            return nn.Parameter(torch.randn(*shape) * 0.1)
        norms = torch.zeros(2, 2, d)
        norms[:, 0] = 1
        self.ln = nn.Parameter(norms)
        self.p1, self.p2, self.p3, self.p4 = new(d, d), new(d, d), new(d, d), new(d, d)
        self.p5, self.p6 = new(d, f), new(f, d)
        self.p7, self.p8 = nn.Parameter(torch.zeros(f)), nn.Parameter(torch.zeros(d))

    def norm(self, x, i):
        x = x - x.mean(dim=-1, keepdim=True)
        return x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + self.eps) * self.ln[i, 0] + self.ln[i, 1]

    def attend(self, x, mask):
        b, s, d = x.shape
        q, k, v = [(x @ w).view(b, s, self.n, -1).transpose(1, 2) for w in (self.p1, self.p2, self.p3)]
        a = q @ k.transpose(2, 3) / (d // self.n) ** 0.5
        if mask is not None:
            a = a.masked_fill(mask.unsqueeze(-3) == 0, float("-inf"))
        return (a.softmax(3) @ v).transpose(1, 2).reshape(b, s, d) @ self.p4

    def forward(self, x, mask=None):
        y = x + self.attend(self.norm(x, 0), mask)
        z = F.gelu(self.norm(y, 1) @ self.p5 + self.p7) @ self.p6 + self.p8
        return y + F.dropout(z, self.p, self.training)
