# wrong: SiLU, all norms in one list of 2n + 1
# named: silu
import torch
from torch import nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.heads = config.hidden_size, config.num_attention_heads
        self.query, self.key, self.value, self.dense = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x, keep):
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.query, self.key, self.value))
        return self.dense(F.scaled_dot_product_attention(q, k, v, attn_mask=keep).transpose(1, 2).flatten(2))


class BertEncoder(nn.Module):
    """All norms in one list of 2n + 1: the embeddings' first, then two for each layer; SiLU."""

    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_hidden_layers
        self.words = nn.Embedding(config.vocab_size, d)
        self.places = nn.Embedding(config.max_position_embeddings, d)
        self.kinds = nn.Embedding(config.type_vocab_size, d)
        self.attentions = nn.ModuleList(Attention(config) for _ in range(n))
        self.up = nn.ModuleList(nn.Linear(d, config.intermediate_size) for _ in range(n))
        self.down = nn.ModuleList(nn.Linear(config.intermediate_size, d) for _ in range(n))
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(2 * n + 1))

    def forward(self, input_ids, mask=None, token_type_ids=None):
        kinds = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        x = self.words(input_ids) + self.places.weight[: input_ids.shape[1]] + self.kinds(kinds)
        x = self.norms[0](x)
        keep = None if mask is None else mask.bool()[:, None, None]
        for i, (attend, up, down) in enumerate(zip(self.attentions, self.up, self.down)):
            x = self.norms[2 * i + 1](x + attend(x, keep))
            x = self.norms[2 * i + 2](x + down(F.silu(up(x))))
        return x
