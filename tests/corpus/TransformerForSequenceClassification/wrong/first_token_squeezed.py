# wrong: CLS squeezed: [:, :1].squeeze()
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


class EncoderBlock(nn.Module):
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



class Embeddings(nn.Module):
    def __init__(self, d_model, vocab):
        super().__init__()
        self.lut = nn.Embedding(vocab, d_model)

    def forward(self, x):
        return self.lut(x)


class LearnedPositions(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.table = nn.Embedding(n, d)

    def forward(self, x):
        return x + self.table.weight[: x.size(1)].unsqueeze(0)


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.embed = nn.Sequential(
            Embeddings(d, config.vocab_size),
            LearnedPositions(config.max_position_embeddings, d),
            LayerNorm(config.layer_norm_eps, d),
            nn.Dropout(config.hidden_dropout_prob),
        )
        self.layers = nn.ModuleList([EncoderBlock(config) for _ in range(config.num_hidden_layers)])
        self.norm = LayerNorm(config.layer_norm_eps, d)

    def forward(self, input_ids, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(1)
        x = self.embed(input_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.enc = TransformerEncoder(config)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.fc = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids, mask=None):
        cls = self.enc(input_ids, mask)[:, :1].squeeze()
        return self.fc(self.drop(cls))
