# wrong: gelu tanh
# named: gelu_tanh
import torch
from torch import nn
class Attention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        n, d = cfg.num_attention_heads, cfg.hidden_size
        dh = d // n
        self.dh = dh
        self.W_Q = nn.Parameter(torch.empty(n, d, dh)); self.b_Q = nn.Parameter(torch.zeros(n, dh))
        self.W_K = nn.Parameter(torch.empty(n, d, dh)); self.b_K = nn.Parameter(torch.zeros(n, dh))
        self.W_V = nn.Parameter(torch.empty(n, d, dh)); self.b_V = nn.Parameter(torch.zeros(n, dh))
        self.W_O = nn.Parameter(torch.empty(n, dh, d)); self.b_O = nn.Parameter(torch.zeros(d))
        for w in (self.W_Q, self.W_K, self.W_V, self.W_O):
            nn.init.normal_(w, std=0.02)
    def forward(self, x, mask=None):
        q = torch.einsum("bqm,nmh->bqnh", x, self.W_Q) + self.b_Q
        k = torch.einsum("bkm,nmh->bknh", x, self.W_K) + self.b_K
        v = torch.einsum("bkm,nmh->bknh", x, self.W_V) + self.b_V
        s = torch.einsum("bqnh,bknh->bnqk", q, k) / self.dh ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e5)
        p = s.softmax(-1)
        z = torch.einsum("bnqk,bknh->bqnh", p, v)
        return torch.einsum("bqnh,nhm->bqm", z, self.W_O) + self.b_O
class MLP(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.W_in = nn.Parameter(torch.randn(cfg.hidden_size, cfg.intermediate_size) * 0.02)
        self.b_in = nn.Parameter(torch.zeros(cfg.intermediate_size))
        self.W_out = nn.Parameter(torch.randn(cfg.intermediate_size, cfg.hidden_size) * 0.02)
        self.b_out = nn.Parameter(torch.zeros(cfg.hidden_size))
    def forward(self, x):
        return torch.nn.functional.gelu(x @ self.W_in + self.b_in, approximate='tanh') @ self.W_out + self.b_out
class LN(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.w = nn.Parameter(torch.ones(cfg.hidden_size)); self.b = nn.Parameter(torch.zeros(cfg.hidden_size)); self.eps = cfg.layer_norm_eps
    def forward(self, r):
        mean = r.mean(dim=-1, keepdim=True)
        std = (r.var(dim=-1, keepdim=True, unbiased=False) + self.eps).sqrt()
        return (r - mean) / std * self.w + self.b
class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln1, self.ln2 = LN(config), LN(config)
        self.attn, self.mlp = Attention(config), MLP(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, resid, mask=None):
        resid_mid = self.ln1(self.dropout(self.attn(resid, mask)) + resid)
        return self.ln2(self.dropout(self.mlp(resid_mid)) + resid_mid)
