# right: blocks without norms; all norms in one list of 2n + 2, by kind
import torch
from torch import nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, self.h = c.hidden_size, c.num_attention_heads
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, d))

    def forward(self, x, mask, one, two):
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in self.qkv(one(x)).chunk(3, -1))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2))
        return x + self.mlp(two(x))


class TransformerEncoder(nn.Module):
    """Blocks without norms; every norm of the stack in one list, embeddings' first, then by kind."""

    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_hidden_layers
        self.wte, self.wpe = nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_position_embeddings, d)
        self.blocks = nn.ModuleList(Block(config) for _ in range(self.n))
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(2 * self.n + 2))

    def forward(self, input_ids, mask=None):
        x = self.norms[0](self.wte(input_ids) + self.wpe.weight[: input_ids.shape[1]])
        keep = None if mask is None else mask.bool()[:, None, None]
        for i, block in enumerate(self.blocks):
            x = block(x, keep, self.norms[1 + i], self.norms[1 + self.n + i])
        return self.norms[-1](x)
