# right: encoder inlined in the same class, head as raw [hidden, labels] matrix
import torch
from torch import nn
import torch.nn.functional as F

class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.mha = nn.MultiheadAttention(d, c.num_attention_heads, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(d, eps=c.layer_norm_eps), nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.ff = nn.Sequential(nn.Linear(d, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, d), nn.Dropout(c.hidden_dropout_prob))

    def forward(self, x, pad):
        y = self.n1(x)
        x = x + self.mha(y, y, y, key_padding_mask=pad, need_weights=False)[0]
        return x + self.ff(self.n2(x))

class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        c, d = config, config.hidden_size
        self.head_bias = nn.Parameter(torch.zeros(c.num_labels))
        self.head = nn.Parameter(torch.randn(d, c.num_labels) * 0.02)
        self.tok, self.pos = nn.Embedding(c.vocab_size, d), nn.Embedding(c.max_position_embeddings, d)
        self.norm = nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.final = nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.drop = nn.Dropout(c.hidden_dropout_prob)
        self.layers = nn.ModuleList(Layer(c) for _ in range(c.num_hidden_layers))

    def forward(self, input_ids, mask=None):
        x = self.tok(input_ids) + self.pos(torch.arange(input_ids.shape[1], device=input_ids.device))
        x = self.drop(self.norm(x))
        pad = None if mask is None else mask == 0
        for layer in self.layers:
            x = layer(x, pad)
        return self.drop(self.final(x)[:, 0]) @ self.head + self.head_bias
