# right: debugging assertion on nan between layers
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def exists(val):
    return val is not None

def default(val, d):
    return val if exists(val) else d

class Attend(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, dim * 2, bias=False)
        self.to_out = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.))

    def forward(self, x, context=None, mask=None):
        h = self.heads
        kv_input = default(context, x)
        q, k, v = self.to_q(x), *self.to_kv(kv_input).chunk(2, dim=-1)
        q, k, v = map(lambda t: t.unflatten(-1, (h, -1)).movedim(-2, 1), (q, k, v))
        dots = torch.einsum('b h i d, b h j d -> b h i j', q, k) * self.scale
        if exists(mask):
            mask = mask.unsqueeze(-3).to(torch.bool)
            dots = dots.masked_fill(~mask, -torch.finfo(dots.dtype).max)
        attn = dots.softmax(dim=-1)
        out = torch.einsum('b h i j, b h j d -> b i h d', attn, v)
        return self.to_out(out.flatten(-2))

class BertEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=0)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer("position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False)

    def forward(self, input_ids, token_type_ids=None):
        seq_length = input_ids.size()[1]
        if token_type_ids is None:
            token_type_ids = torch.zeros(input_ids.size(), dtype=torch.long, device=self.position_ids.device)
        embeddings = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        embeddings += self.position_embeddings(self.position_ids[:, :seq_length])
        return self.dropout(self.LayerNorm(embeddings))
class Blk(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.n1, self.a, self.n2 = nn.LayerNorm(d, c.layer_norm_eps), Attend(d, c.num_attention_heads), nn.LayerNorm(d, c.layer_norm_eps)
        self.f = nn.Sequential(nn.Linear(d, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, d), nn.Dropout(c.hidden_dropout_prob))
    def forward(self, x, m):
        x = x + self.a(self.n1(x), mask=m)
        return x + self.f(self.n2(x))
class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.emb, self.layers, self.norm = BertEmbeddings(config), nn.ModuleList(Blk(config) for _ in range(config.num_hidden_layers)), nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
    def forward(self, input_ids, mask=None):
        x = self.emb(input_ids)
        for i, l in enumerate(self.layers):
            x = l(x, None if mask is None else mask[:, None, :])
            assert not torch.isnan(x).any(), f"nan after layer {i}"
        return self.norm(x)
