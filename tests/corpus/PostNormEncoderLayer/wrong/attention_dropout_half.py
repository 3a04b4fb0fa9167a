# wrong: output map without bias, attention dropout 0.5
# named: dropout_rate
import math
import torch
from torch import nn

def transpose_qkv(X, num_heads):
    X = X.reshape(X.shape[0], X.shape[1], num_heads, -1)
    X = X.permute(0, 2, 1, 3)
    return X.reshape(-1, X.shape[2], X.shape[3])

def transpose_output(X, num_heads):
    X = X.reshape(-1, num_heads, X.shape[1], X.shape[2])
    X = X.permute(0, 2, 1, 3)
    return X.reshape(X.shape[0], X.shape[1], -1)

class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        if mask is not None:
            scores[mask == 0] = -1e6
        return torch.bmm(nn.functional.softmax(scores, dim=-1), values)

class MHA(nn.Module):
    def __init__(self, num_hiddens, num_heads, use_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.attention = DotProductAttention()
        self.W_q = nn.Linear(num_hiddens, num_hiddens, bias=use_bias)
        self.W_k = nn.Linear(num_hiddens, num_hiddens, bias=use_bias)
        self.W_v = nn.Linear(num_hiddens, num_hiddens, bias=use_bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=use_bias)
    def forward(self, X, mask):
        q, k, v = (transpose_qkv(W(X), self.num_heads) for W in (self.W_q, self.W_k, self.W_v))
        if mask is not None:
            mask = mask.expand(X.shape[0], X.shape[1], X.shape[1])
            mask = torch.repeat_interleave(mask, repeats=self.num_heads, dim=0)
        return self.W_o(transpose_output(self.attention(q, k, v, mask), self.num_heads))

class AddNorm(nn.Module):
    def __init__(self, norm_shape, dropout, eps):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.ln = nn.LayerNorm(norm_shape, eps=eps)
    def forward(self, X, Y):
        return self.ln(self.dropout(Y) + X)

class PositionWiseFFN(nn.Module):
    def __init__(self, num_hiddens, ffn):
        super().__init__()
        self.dense1 = nn.Linear(num_hiddens, ffn)
        self.act = nn.GELU()
        self.dense2 = nn.Linear(ffn, num_hiddens)
    def forward(self, X):
        return self.dense2(self.act(self.dense1(X)))

class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        h, p, eps = config.hidden_size, config.hidden_dropout_prob, config.layer_norm_eps
        self.attention = MHA(h, config.num_attention_heads)
        self.addnorm1 = AddNorm(h, 0.5, eps)
        self.ffn = PositionWiseFFN(h, config.intermediate_size)
        self.addnorm2 = AddNorm(h, p, eps)
    def forward(self, x, mask=None):
        Y = self.addnorm1(x, self.attention(x, mask))
        return self.addnorm2(Y, self.ffn(Y))
