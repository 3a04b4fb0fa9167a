# wrong: one norm object used twice, nn.MultiheadAttention inside
# named: first_norm_twice
import torch
from torch import nn

class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.att = nn.MultiheadAttention(d, self.h, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d), nn.Dropout(config.hidden_dropout_prob))
        self.norm = nn.LayerNorm(d, eps=config.layer_norm_eps)

    def forward(self, x, mask=None):
        b, s, _ = x.shape
        m = None if mask is None else (mask == 0).expand(b, s, s).repeat_interleave(self.h, 0)
        y = self.norm(x)
        x = x + self.att(y, y, y, attn_mask=m)[0]
        return x + self.ff(self.norm(x))
