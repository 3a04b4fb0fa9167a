# wrong: batch of one: squeeze(0) at the end
import torch
from torch import nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.n = n
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))

    def forward(self, x, kv, allowed=None):
        b = x.shape[0]
        q, k, v = (f(t).view(b, t.shape[1], self.n, -1).permute(0, 2, 1, 3) for f, t in ((self.q, x), (self.k, kv), (self.v, kv)))
        s = torch.einsum("bnqd,bnkd->bnqk", q, k).div(q.shape[-1] ** 0.5)
        if allowed is not None:
            s = s + (1 - allowed.to(s.dtype)).mul(torch.finfo(s.dtype).min).unsqueeze(1)
        return self.o((s.softmax(-1) @ v).permute(0, 2, 1, 3).reshape(x.shape))


class LayerSelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.SelfAttention = Attention(c.hidden_size, c.num_attention_heads)
        self.layer_norm = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.dropout = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, h):
        n = h.shape[1]
        i = torch.arange(n, device=h.device)
        allowed = (i[None, :] <= i[:, None])[None]
        normed = self.layer_norm(h)
        return h + self.dropout(self.SelfAttention(normed, normed, allowed))


class LayerCrossAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.EncDecAttention = Attention(c.hidden_size, c.num_attention_heads)
        self.layer_norm = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.dropout = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, h, memory, mask):
        return h + self.dropout(self.EncDecAttention(self.layer_norm(h), memory, mask))


class LayerFF(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.wi = nn.Linear(c.hidden_size, c.intermediate_size)
        self.wo = nn.Linear(c.intermediate_size, c.hidden_size)
        self.layer_norm = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.dropout = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, h):
        return h + self.dropout(self.wo(F.gelu(self.wi(self.layer_norm(h)))))


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = nn.ModuleList()
        self.layer.append(LayerSelfAttention(config))
        self.layer.append(LayerCrossAttention(config))
        self.layer.append(LayerFF(config))

    def forward(self, hidden_state, memory, memory_mask=None):
        hidden_state = self.layer[0](hidden_state)
        hidden_state = self.layer[1](hidden_state, memory, memory_mask)
        return self.layer[-1](hidden_state).squeeze(0)
