# wrong: hidden scores become −10, which still leaves them a share
# named: mask_fills_minus_ten
import torch
from torch import nn
from torch.nn import functional as F


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config.hidden_size
        self.heads = config.num_attention_heads
        self.before_attention = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.qkv = nn.Linear(size, 3 * size)
        self.out = nn.Linear(size, size)
        self.before_mlp = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.mlp = nn.Sequential(
            nn.Linear(size, config.intermediate_size), nn.GELU(),
            nn.Linear(config.intermediate_size, size),
        )
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def attend(self, x, mask):
        batch, length, size = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = torch.where(mask.bool()[:, None], scores, torch.tensor(-10.0))
        mixed = F.softmax(scores, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, length, size))

    def forward(self, x, mask=None):
        x = x + self.drop(self.attend(self.before_attention(x), mask))
        return x + self.drop(self.mlp(self.before_mlp(x)))
