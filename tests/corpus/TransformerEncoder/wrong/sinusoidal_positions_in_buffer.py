# wrong: sinusoidal positions in buffer
# named: sinusoidal_positions
import copy
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


def clones(module, N):
    "Produce N identical layers."
    return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])


class Norm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.a_2 = nn.Parameter(torch.ones(features))
        self.b_2 = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, keepdim=True, unbiased=False)
        return self.a_2 * (x - mean) / torch.sqrt(var + self.eps) + self.b_2


def attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = F.softmax(scores, dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d_model, dropout=0.1):
        super().__init__()
        assert d_model % h == 0
        self.d_k = d_model // h
        self.h = h
        self.linears = clones(nn.Linear(d_model, d_model), 4)
        self.attn = None
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(1)
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip(self.linears, (query, key, value))
        ]
        x, self.attn = attention(query, key, value, mask=mask, dropout=self.dropout)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.linears[-1](x)


class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.w_2(F.gelu(self.w_1(x)))


class SublayerConnection(nn.Module):
    def __init__(self, size, dropout, eps):
        super().__init__()
        self.norm = Norm(size, eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


class EncoderLayer(nn.Module):
    def __init__(self, size, self_attn, feed_forward, dropout, eps):
        super().__init__()
        self.self_attn = self_attn
        self.feed_forward = feed_forward
        self.sublayer = clones(SublayerConnection(size, dropout, eps), 2)
        self.size = size

    def forward(self, x, mask=None):
        x = self.sublayer[0](x, lambda x: self.self_attn(x, x, x, mask))
        return self.sublayer[1](x, self.feed_forward)


class CourseLayer(EncoderLayer):
    def __init__(self, config):
        p = config.hidden_dropout_prob
        super().__init__(
            config.hidden_size,
            MultiHeadedAttention(config.num_attention_heads, config.hidden_size, p),
            PositionwiseFeedForward(config.hidden_size, config.intermediate_size),
            p,
            config.layer_norm_eps,
        )



class InputEmbeddings(nn.Module):
    def __init__(self, vocab, max_len, types, d_model, p, eps):
        super().__init__()
        self.lut = nn.Embedding(vocab, d_model)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pos", pe.unsqueeze(0))
        self.norm = Norm(d_model, eps)
        self.dropout = nn.Dropout(p)

    def forward(self, x):
        return self.dropout(self.norm(self.lut(x) + self.pos[:, : x.size(1)]))


class Encoder(nn.Module):
    "Core encoder is a stack of N layers"

    def __init__(self, layer, N, eps):
        super().__init__()
        self.layers = clones(layer, N)
        self.norm = Norm(layer.size, eps)

    def forward(self, x, mask):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.src_embed = InputEmbeddings(
            config.vocab_size, config.max_position_embeddings, config.type_vocab_size,
            config.hidden_size, config.hidden_dropout_prob, config.layer_norm_eps,
        )
        self.encoder = Encoder(CourseLayer(config), config.num_hidden_layers, config.layer_norm_eps)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, input_ids, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(-2)
        return self.encoder(self.src_embed(input_ids), mask)
