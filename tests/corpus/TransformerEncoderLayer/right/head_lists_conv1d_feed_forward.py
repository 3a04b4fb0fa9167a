# right: per-head lists plus Conv1d feed-forward, custom norm class, residual as a helper function
import torch
from torch import nn

class Norm(nn.Module):
    def __init__(self, n, eps):
        super().__init__()
        self.beta, self.gamma, self.eps = nn.Parameter(torch.zeros(n)), nn.Parameter(torch.ones(n)), eps

    def forward(self, x):
        v, m = torch.var_mean(x, dim=-1, unbiased=False, keepdim=True)
        return torch.addcmul(self.beta, (x - m) / torch.sqrt(v + self.eps), self.gamma)

class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        k = d // h
        self.q = nn.ModuleList(nn.Linear(d, k) for _ in range(h))
        self.k = nn.ModuleList(nn.Linear(d, k) for _ in range(h))
        self.v = nn.ModuleList(nn.Linear(d, k) for _ in range(h))
        self.o = nn.Linear(d, d)
        self.up = nn.Conv1d(d, config.intermediate_size, 1)
        self.down = nn.Conv1d(config.intermediate_size, d, 1)
        self.n1, self.n2 = Norm(d, config.layer_norm_eps), Norm(d, config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        def attention(y):
            heads = []
            for q, k, v in zip(self.q, self.k, self.v):
                a = q(y) @ k(y).transpose(1, 2) / k(y).shape[-1] ** 0.5
                if mask is not None:
                    a = a.masked_fill(torch.logical_not(mask), -1e9)
                heads.append(a.softmax(-1) @ v(y))
            return self.drop(self.o(torch.cat(heads, -1)))
        def think(y):
            return self.drop(self.down(nn.functional.gelu(self.up(y.transpose(1, 2)))).transpose(1, 2))
        for norm, part in ((self.n1, attention), (self.n2, think)):
            x = x + part(norm(x))
        return x
