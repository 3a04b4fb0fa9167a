# wrong: key_padding_mask = mask.bool() (inverted)
# named: attention_mask_inverted
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d, h, m, p, eps):
        super().__init__()
        self.ln_1 = nn.LayerNorm(d, eps=eps)
        self.attention = nn.MultiheadAttention(d, h, batch_first=True)
        self.ln_2 = nn.LayerNorm(d, eps=eps)
        self.mlp = nn.Sequential(nn.Linear(d, m), nn.GELU(), nn.Linear(m, d), nn.Dropout(p))

    def forward(self, x, pad=None):
        h = self.ln_1(x)
        h, _ = self.attention(h, h, h, key_padding_mask=pad, need_weights=False)
        x = x + h
        return x + self.mlp(self.ln_2(x))


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.wte = nn.Embedding(config.vocab_size, d)
        self.wpe = nn.Embedding(config.max_position_embeddings, d)
        self.emb_norm = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.depth = config.num_hidden_layers
        for i in range(self.depth):
            setattr(self, f"encoderblock_{i}", Block(d, config.num_attention_heads, config.intermediate_size, config.hidden_dropout_prob, config.layer_norm_eps))
        self.encoder_norm = nn.LayerNorm(d, eps=config.layer_norm_eps)

    def forward(self, input_ids, mask=None):
        pad = None if mask is None else mask.bool()
        idx = torch.arange(input_ids.shape[1], dtype=torch.long, device=input_ids.device)
        x = self.drop(self.emb_norm(self.wte(input_ids) + self.wpe(idx)))
        for i in range(self.depth):
            x = getattr(self, f"encoderblock_{i}")(x, pad)
        return self.encoder_norm(x)
