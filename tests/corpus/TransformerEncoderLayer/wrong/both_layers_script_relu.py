# wrong: script with both layers, helpers of other signatures; ReLU
# named: relu
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
        self.act = nn.ReLU()
        self.dropout = nn.Dropout(p=drop_prob)

    def forward(self, x):
        return self.dropout(self.linear2(self.act(self.linear1(x))))


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, p = config.hidden_size, config.hidden_dropout_prob
        self.attention = MultiHeadAttention(d_model=d, n_head=config.num_attention_heads)
        self.norm1 = LayerNorm(config.layer_norm_eps, d)
        self.dropout1 = nn.Dropout(p=p)
        self.ffn = FeedForward(d_model=d, hidden=config.intermediate_size, drop_prob=p)
        self.norm2 = LayerNorm(config.layer_norm_eps, d)

    def forward(self, x, mask=None):
        _x = x
        x = self.norm1(x)
        x = self.dropout1(self.attention(q=x, k=x, v=x, mask=mask)) + _x
        _x = x
        x = self.norm2(x)
        return self.ffn(x) + _x


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.attention = MultiHeadAttention(d, config.num_attention_heads)
        self.norm1 = LayerNorm(config.layer_norm_eps, d)
        self.ffn = FeedForward(d, config.intermediate_size, config.hidden_dropout_prob)
        self.norm2 = LayerNorm(config.layer_norm_eps, d)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.attention(x, x, x, mask)))
        return self.norm2(x + self.ffn(x))
