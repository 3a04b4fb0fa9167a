# wrong: own extra norm at the end
# named: norm_once_more
import math
import torch
from torch import nn
import torch.nn.functional as F


class LayerNorm(nn.Module):
    def __init__(self, eps, features):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(features))
        self.beta = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_head):
        super().__init__()
        self.n_head = n_head
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_concat = nn.Linear(d_model, d_model)

    def forward(self, q, k, v, mask=None):
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
        score = (q @ k.transpose(2, 3)) / math.sqrt(q.size(-1))
        if mask is not None:
            score = score.masked_fill(mask.unsqueeze(1) == 0, -10000)
        out = torch.softmax(score, dim=-1) @ v
        return self.w_concat(self.concat(out))

    def split(self, tensor):
        b, length, d = tensor.size()
        return tensor.view(b, length, self.n_head, d // self.n_head).transpose(1, 2)

    def concat(self, tensor):
        b, head, length, d = tensor.size()
        return tensor.transpose(1, 2).contiguous().view(b, length, head * d)


class FeedForward(nn.Module):
    def __init__(self, d_model, hidden, drop_prob=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, hidden)
        self.linear2 = nn.Linear(hidden, d_model)
        self.act = nn.GELU()
        self.dropout = nn.Dropout(p=drop_prob)

    def forward(self, x):
        return self.dropout(self.linear2(self.act(self.linear1(x))))


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h, e = config.hidden_size, config.num_attention_heads, config.layer_norm_eps
        self.self_attention = MultiHeadAttention(d, h)
        self.enc_dec_attention = MultiHeadAttention(d, h)
        self.norms = nn.ModuleList(LayerNorm(e, d) for _ in range(4))
        self.ffn = FeedForward(d, config.intermediate_size, config.hidden_dropout_prob)

    def forward(self, dec, enc, src_mask=None):
        L = dec.shape[1]
        trg_mask = torch.tril(torch.ones(1, L, L, device=dec.device))
        x = self.norms[0](dec)
        dec = dec + self.self_attention(q=x, k=x, v=x, mask=trg_mask)
        x = self.norms[1](dec)
        dec = dec + self.enc_dec_attention(q=x, k=enc, v=enc, mask=src_mask)
        return self.norms[3](dec + self.ffn(self.norms[2](dec)))
