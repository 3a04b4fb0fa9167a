# wrong: script of chapter 09: Pooler and BertEncoder, helpers of own signatures; layers shared
# named: layers_shared
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


class Block(nn.Module):
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
        x = self.dropout1(self.attention(q=x, k=x, v=x, mask=mask))
        x = self.norm1(x + _x)
        _x = x
        x = self.ffn(x)
        return self.norm2(x + _x)

class TokenEmb(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tables = nn.ModuleDict({
            "tok": nn.Embedding(c.vocab_size, c.hidden_size),
            "pos": nn.Embedding(c.max_position_embeddings, c.hidden_size),
            "typ": nn.Embedding(c.type_vocab_size, c.hidden_size),
        })
        self.ln = nn.LayerNorm(c.hidden_size, c.layer_norm_eps)
        self.drop = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, ids, types=None):
        b, s = ids.shape
        pos = torch.arange(s, device=ids.device).expand(b, s)
        types = ids.new_zeros(b, s) if types is None else types
        e = self.tables["tok"](ids) + self.tables["pos"](pos) + self.tables["typ"](types)
        return self.drop(self.ln(e))



class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.emb = TokenEmb(config)
        self.layers = nn.ModuleList([Block(config)] * config.num_hidden_layers)

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        mask = attention_mask.unsqueeze(1) if attention_mask is not None else None
        x = self.emb(input_ids, token_type_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x


class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state):
        return torch.tanh(self.dense(hidden_state[:, 0]))
