# right: layers as numbered attributes, no final norm, types table indexed at 0
import torch
from torch import nn
import torch.nn.functional as F

class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.h, self.p = c.num_attention_heads, c.hidden_dropout_prob
        self.ln_1, self.ln_2 = nn.LayerNorm(d, c.layer_norm_eps), nn.LayerNorm(d, c.layer_norm_eps)
        self.c_attn, self.c_proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.fc, self.proj = nn.Linear(d, c.intermediate_size), nn.Linear(c.intermediate_size, d)

    def forward(self, x, bias):
        b, s, d = x.shape
        q, k, v = (t.view(b, s, self.h, d // self.h).transpose(1, 2) for t in self.c_attn(self.ln_1(x)).split(d, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        x = x + F.dropout(self.c_proj(y.transpose(1, 2).reshape(b, s, d)), self.p, self.training)
        return x + F.dropout(self.proj(F.gelu(self.fc(self.ln_2(x)))), self.p, self.training)

class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.n = config.num_hidden_layers
        for i in range(self.n):
            setattr(self, f"layer_{i}", Block(config))
        self.wte = nn.Embedding(config.vocab_size, d)
        self.wpe = nn.Embedding(config.max_position_embeddings, d)
        self.tte = nn.Embedding(config.type_vocab_size, d)
        self.ln = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, mask=None):
        b, s = input_ids.shape
        x = self.wte(input_ids) + self.wpe.weight[:s] + self.tte.weight[0]
        x = self.drop(self.ln(x))
        bias = None if mask is None else mask.bool()[:, None, None, :]
        for i in range(self.n):
            x = getattr(self, f"layer_{i}")(x, bias)
        return x
