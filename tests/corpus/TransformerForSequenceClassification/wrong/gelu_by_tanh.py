# wrong: GELU by tanh
# named: gelu_tanh
import torch
from torch import nn, einsum

class FeedForwardNet(nn.Module):
    def __init__(self, dim, hidden_dim, dropout, eps):
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(dim, eps=eps), nn.Linear(dim, hidden_dim), nn.GELU(approximate="tanh"), nn.Linear(hidden_dim, dim), nn.Dropout(dropout))
    def forward(self, x):
        return self.net(x)

class Attention(nn.Module):
    def __init__(self, dim, heads, eps):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.norm = nn.LayerNorm(dim, eps=eps)
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, dim * 2, bias=False)
        self.to_out = nn.Linear(dim, dim, bias=False)
    def forward(self, x, key_mask=None):
        x = self.norm(x)
        b, n, d = x.shape
        split = lambda t: t.reshape(b, n, self.heads, d // self.heads).transpose(1, 2)
        q, k, v = map(split, (self.to_q(x), *self.to_kv(x).chunk(2, dim=-1)))
        sim = einsum('bhid,bhjd->bhij', q * self.scale, k)
        if key_mask is not None:
            sim = sim.masked_fill(~key_mask[:, None, None, :], -torch.finfo(sim.dtype).max)
        attn = sim.softmax(dim=-1)
        return self.to_out(einsum('bhij,bhjd->bihd', attn, v).reshape(b, n, d))

class Transformer(nn.Module):
    def __init__(self, dim, depth, heads, mlp_dim, dropout, eps):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([Attention(dim, heads, eps), FeedForwardNet(dim, mlp_dim, dropout, eps)]))
    def forward(self, x, mask):
        for attn, ff in self.layers:
            x = attn(x, mask) + x
            x = ff(x) + x
        return x

class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        dim = config.hidden_size
        self.token_emb = nn.Embedding(config.vocab_size, dim)
        self.pos_emb = nn.Parameter(torch.randn(config.max_position_embeddings, dim) * 0.02)
        self.type_emb = nn.Embedding(config.type_vocab_size, dim)
        self.emb_norm = nn.LayerNorm(dim, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.transformer = Transformer(dim, config.num_hidden_layers, config.num_attention_heads, config.intermediate_size, config.hidden_dropout_prob, config.layer_norm_eps)
    def forward(self, input_ids, mask=None):
        x = self.token_emb(input_ids)
        x = x + self.pos_emb[:x.shape[1]] + self.type_emb.weight[0]
        x = self.dropout(self.emb_norm(x))
        return self.transformer(x, None if mask is None else mask.bool())
class TransformerForSequenceClassification(Encoder):
    def __init__(self, config):
        super().__init__(config)
        self.num_labels = config.num_labels
        self.p = config.hidden_dropout_prob
        self.output_weights = nn.Parameter(torch.empty(config.num_labels, config.hidden_size).normal_(std=0.02))
        self.output_bias = nn.Parameter(torch.zeros(config.num_labels))
    def forward(self, input_ids, mask=None):
        first, *_ = super().forward(input_ids, mask).unbind(1)
        first = torch.nn.functional.dropout(first, p=self.p, training=self.training)
        return torch.nn.functional.linear(first, self.output_weights, self.output_bias)
