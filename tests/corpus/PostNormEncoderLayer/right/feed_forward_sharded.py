# right: Megatron-like: FF sharded in two column/row parallel parts, outputs reduced, one bias at the end
import torch
from torch import nn
import torch.nn.functional as F


class ParallelMLP(nn.Module):
    def __init__(self, d, m, world=2):
        super().__init__()
        sizes = [m // world] * (world - 1) + [m - (m // world) * (world - 1)]
        self.dense_h_to_4h = nn.ModuleList(nn.Linear(d, s) for s in sizes)
        self.dense_4h_to_h = nn.ModuleList(nn.Linear(s, d, bias=False) for s in sizes)
        self.bias = nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return sum(down(F.gelu(up(x))) for up, down in zip(self.dense_h_to_4h, self.dense_4h_to_h)) + self.bias


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attn = MultiHeadAttention(config)
        self.mlp = ParallelMLP(config.hidden_size, config.intermediate_size)
        self.ln1, self.ln2 = nn.LayerNorm(config.hidden_size, config.layer_norm_eps), nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        x = self.ln1(x + self.drop(self.attn(x, mask)))
        return self.ln2(x + self.drop(self.mlp(x)))
