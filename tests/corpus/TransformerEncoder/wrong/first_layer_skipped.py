# wrong: the first layer is skipped
# named: one_layer_less
import torch
from torch import nn

class EncLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.mha = nn.MultiheadAttention(d, config.num_attention_heads, batch_first=True)
        self.ln1 = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.ln2 = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.ff = nn.Sequential(nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d), nn.Dropout(config.hidden_dropout_prob))
    def forward(self, x, pad):
        h = self.ln1(x)
        a, _ = self.mha(h, h, h, key_padding_mask=pad, need_weights=False)
        x = x + a
        return x + self.ff(self.ln2(x))

class Emb(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.words = nn.Embedding(config.vocab_size, config.hidden_size)
        self.positions = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.types = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, ids):
        n = ids.size(-1)
        return self.drop(self.norm(self.words(ids) + self.positions.weight[:n] + self.types(torch.zeros_like(ids))))

class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_layers = config.num_hidden_layers
        self.emb = Emb(config)
        for i in range(self.n_layers):
            setattr(self, f"layer_{i}", EncLayer(config))
        self.last_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
    def forward(self, input_ids, mask=None):
        pad = None if mask is None else (mask == 0)
        x = self.emb(input_ids)
        for i in range(1, self.n_layers):
            x = getattr(self, f"layer_{i}")(x, pad)
        return self.last_norm(x)
