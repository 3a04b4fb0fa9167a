# wrong: parameters of all layers stacked: positions left out
# named: no_positions
import torch
from torch import nn
import torch.nn.functional as F

class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        L, D, M = config.num_hidden_layers, config.hidden_size, config.intermediate_size
        self.L, self.H, self.eps, self.rate = L, config.num_attention_heads, config.layer_norm_eps, config.hidden_dropout_prob
        rnd = lambda *s: nn.Parameter(torch.randn(*s) * 0.02)
        one = lambda *s: nn.Parameter(torch.ones(*s))
        nul = lambda *s: nn.Parameter(torch.zeros(*s))
        self.tok, self.pos, self.typ = rnd(config.vocab_size, D), rnd(config.max_position_embeddings, D), rnd(config.type_vocab_size, D)
        self.g0, self.b0 = one(D), nul(D)
        self.g1, self.b1 = one(L, D), nul(L, D)
        self.wqkv, self.bqkv = rnd(L, 3, D, D), nul(L, 3, D)
        self.wo, self.bo = rnd(L, D, D), nul(L, D)
        self.g2, self.b2 = one(L, D), nul(L, D)
        self.w_in, self.b_in = rnd(L, D, M), nul(L, M)
        self.w_out, self.b_out = rnd(L, M, D), nul(L, D)
        self.gf, self.bf = one(D), nul(D)

    def norm(self, x, g, b):
        return F.layer_norm(x, (x.shape[-1],), g, b, self.eps)

    def drop(self, x):
        return F.dropout(x, self.rate, self.training)

    def block(self, l, x, keep):
        B, T, D = x.shape
        n = self.norm(x, self.g1[l], self.b1[l])
        q, k, v = [(n @ self.wqkv[l, i] + self.bqkv[l, i]).reshape(B, T, self.H, -1) for i in range(3)]
        s = torch.einsum('bthd,bshd->bhts', q, k) / (D // self.H) ** 0.5
        if keep is not None:
            s = s + torch.where(keep[:, None, None], 0.0, -1e9)
        o = torch.einsum('bhts,bshd->bthd', s.softmax(-1), v).reshape(B, T, D)
        x = x + o @ self.wo[l] + self.bo[l]
        n = self.norm(x, self.g2[l], self.b2[l])
        return x + self.drop(F.gelu(n @ self.w_in[l] + self.b_in[l]) @ self.w_out[l] + self.b_out[l])

    def forward(self, input_ids, mask=None):
        T = input_ids.shape[1]
        x = self.tok[input_ids] + self.typ[0]
        x = self.drop(self.norm(x, self.g0, self.b0))
        keep = None if mask is None else mask.to(torch.bool)
        for l in range(self.L):
            x = self.block(l, x, keep)
        return self.norm(x, self.gf, self.bf)
