# right: everything in one class, raw parameters, fused projection without bias
import torch
from torch import nn
import torch.nn.functional as F


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.n, self.p, self.eps = config.num_attention_heads, config.hidden_dropout_prob, config.layer_norm_eps
        self.wqkv = nn.Parameter(torch.randn(3 * d, d) * 0.02)
        self.wo = nn.Parameter(torch.randn(d, d) * 0.02)
        self.w1 = nn.Parameter(torch.randn(f, d) * 0.02)
        self.b1 = nn.Parameter(torch.zeros(f))
        self.w2 = nn.Parameter(torch.randn(d, f) * 0.02)
        self.b2 = nn.Parameter(torch.zeros(d))
        self.ln1_g = nn.Parameter(torch.ones(d))
        self.ln1_b = nn.Parameter(torch.zeros(d))
        self.ln2_g = nn.Parameter(torch.ones(d))
        self.ln2_b = nn.Parameter(torch.zeros(d))

    def forward(self, x, mask=None):
        b, t, d = x.shape
        h = F.layer_norm(x, (d,), self.ln1_g, self.ln1_b, self.eps)
        q, k, v = F.linear(h, self.wqkv).view(b, t, 3, self.n, d // self.n).permute(2, 0, 3, 1, 4)
        a = q @ k.transpose(-1, -2) / (d // self.n) ** 0.5
        if mask is not None:
            a = a.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        y = (a.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d)
        x = x + F.linear(y, self.wo)
        h = F.layer_norm(x, (d,), self.ln2_g, self.ln2_b, self.eps)
        h = F.linear(F.gelu(F.linear(h, self.w1, self.b1)), self.w2, self.b2)
        return x + F.dropout(h, self.p, self.training)
