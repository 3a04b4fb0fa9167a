# right: all norms in one list of 2n + 1, the embeddings' last
import torch
from torch import nn
import torch.nn.functional as F


class Block(nn.Module):
    """Attention and network of one layer; its norms are kept elsewhere."""

    def __init__(self, config):
        super().__init__()
        d, self.heads = config.hidden_size, config.num_attention_heads
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, config.intermediate_size), nn.Linear(config.intermediate_size, d)

    def forward(self, x, keep, first, second):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        x = first(x + self.out(F.scaled_dot_product_attention(q, k, v, attn_mask=keep).transpose(1, 2).flatten(2)))
        return second(x + self.down(F.gelu(self.up(x))))


class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_hidden_layers
        self.norms = nn.ModuleList([nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(2 * n + 1)])
        self.blocks = nn.ModuleList([Block(config) for _ in range(n)])
        self.tables = nn.ModuleList(
            nn.Embedding(rows, d)
            for rows in (config.vocab_size, config.max_position_embeddings, config.type_vocab_size)
        )

    def forward(self, input_ids, mask=None, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        places = torch.arange(input_ids.size(1), device=input_ids.device)
        words, positions, kinds = self.tables
        *norms, last = self.norms  # the embeddings' norm is the last of the list
        x = last(words(input_ids) + positions(places) + kinds(token_type_ids))
        keep = None if mask is None else mask.bool()[:, None, None]
        for block, one, two in zip(self.blocks, norms[::2], norms[1::2]):
            x = block(x, keep, one, two)
        return x
