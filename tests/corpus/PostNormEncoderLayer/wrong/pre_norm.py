# wrong: pre-norm order, ParameterDict-free Sequential parts
# named: other_norm_order
import torch
from torch import nn

class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.ff = nn.Sequential(nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d), self.drop)
        self.norm1, self.norm2 = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.LayerNorm(d, eps=config.layer_norm_eps)

    def att(self, x, mask):
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.o((a.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, x, mask=None):
        x = x + self.drop(self.att(self.norm1(x), mask))
        return x + self.ff(self.norm2(x))
