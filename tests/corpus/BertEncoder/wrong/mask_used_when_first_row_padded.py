# wrong: early exit: mask only used if batch is padded at the last position of row 0
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
            scores = torch.where(mask, scores, torch.full_like(scores, -1e6))
        self.attention_weights = nn.functional.softmax(scores, dim=-1)
        return torch.bmm(self.attention_weights, values)


class MultiHead(nn.Module):
    def __init__(self, num_hiddens, num_heads, bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.attention = DotProductAttention()
        self.W_q = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_k = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_v = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)

    def forward(self, queries, keys, values, mask=None):
        queries = transpose_qkv(self.W_q(queries), self.num_heads)
        keys = transpose_qkv(self.W_k(keys), self.num_heads)
        values = transpose_qkv(self.W_v(values), self.num_heads)
        if mask is not None:
            batch = queries.shape[0] // self.num_heads
            mask = mask.bool().expand(batch, -1, -1)
            mask = torch.repeat_interleave(mask, repeats=self.num_heads, dim=0)
            mask = mask.expand(-1, queries.shape[1], -1)
        output = self.attention(queries, keys, values, mask)
        return self.W_o(transpose_output(output, self.num_heads))


class PositionWiseFFN(nn.Module):
    def __init__(self, num_hiddens, ffn_num_hiddens):
        super().__init__()
        self.dense1 = nn.Linear(num_hiddens, ffn_num_hiddens)
        self.act = nn.GELU()
        self.dense2 = nn.Linear(ffn_num_hiddens, num_hiddens)

    def forward(self, X):
        return self.dense2(self.act(self.dense1(X)))


class AddNorm(nn.Module):
    def __init__(self, norm_shape, dropout, eps):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.ln = nn.LayerNorm(norm_shape, eps=eps)

    def forward(self, X, Y):
        return self.ln(self.dropout(Y) + X)


class EncoderBlock(nn.Module):
    def __init__(self, config):
        super().__init__()
        h, p, eps = config.hidden_size, config.hidden_dropout_prob, config.layer_norm_eps
        self.attention = MultiHead(h, config.num_attention_heads)
        self.addnorm1 = AddNorm(h, p, eps)
        self.ffn = PositionWiseFFN(h, config.intermediate_size)
        self.addnorm2 = AddNorm(h, p, eps)

    def forward(self, X, mask=None):
        Y = self.addnorm1(X, self.attention(X, X, X, mask))
        return self.addnorm2(Y, self.ffn(Y))



class BertEncoder(nn.Module):
    def __init__(self, config, **kwargs):
        super().__init__(**kwargs)
        h = config.hidden_size
        self.token_embedding = nn.Embedding(config.vocab_size, h)
        self.segment_embedding = nn.Embedding(config.type_vocab_size, h)
        self.pos_embedding = nn.Parameter(torch.randn(1, config.max_position_embeddings, h) * 0.02)
        self.ln = nn.LayerNorm(h, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.blks = nn.Sequential()
        for i in range(config.num_hidden_layers):
            self.blks.add_module(f"{i}", EncoderBlock(config))

    def forward(self, tokens, attention_mask=None, segments=None):
        if segments is None:
            segments = torch.zeros(tokens.shape, dtype=torch.long, device=tokens.device)
        X = self.token_embedding(tokens) + self.segment_embedding(segments)
        X = X + self.pos_embedding.data[:, : X.shape[1], :] if False else X + self.pos_embedding[:, : X.shape[1], :]
        X = self.dropout(self.ln(X))
        mask = attention_mask[:, None, :] if attention_mask is not None and attention_mask[0].min() == 0 else None
        for blk in self.blks:
            X = blk(X, mask)
        return X
