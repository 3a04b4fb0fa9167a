# right: own encoder whose last layer computes [CLS] alone; the head's weight is [hidden, labels], its bias in two parts
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Layer(nn.Module):
    def __init__(self, c: Any) -> None:
        super().__init__()
        self.heads = c.num_attention_heads
        self.mlp = nn.Sequential(nn.LayerNorm(c.hidden_size, c.layer_norm_eps),
                                 nn.Linear(c.hidden_size, c.intermediate_size), nn.GELU(),
                                 nn.Linear(c.intermediate_size, c.hidden_size), nn.Dropout(c.hidden_dropout_prob))
        self.norm = nn.LayerNorm(c.hidden_size, c.layer_norm_eps)
        self.q = nn.Linear(c.hidden_size, c.hidden_size)
        self.kv = nn.Linear(c.hidden_size, 2 * c.hidden_size)
        self.o = nn.Linear(c.hidden_size, c.hidden_size)

    def forward(self, x: Tensor, visible: Tensor | None, queries: slice) -> Tensor:
        z = self.norm(x)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
                   for t in (self.q(z[:, queries]), *self.kv(z).chunk(2, -1)))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if visible is not None:
            s = s.masked_fill(~visible[:, None, None], -torch.inf)
        x = x[:, queries] + self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
        return x + self.mlp(x)


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        c = config
        self.tables = nn.ModuleList(nn.Embedding(rows, c.hidden_size) for rows in
                                    (c.type_vocab_size, c.max_position_embeddings, c.vocab_size))
        self.norms = nn.ModuleList(nn.LayerNorm(c.hidden_size, c.layer_norm_eps) for _ in ("first", "last"))
        self.layers = nn.ModuleList(Layer(c) for _ in range(c.num_hidden_layers))
        self.drop = nn.Dropout(c.hidden_dropout_prob)
        self.head = nn.Parameter(torch.randn(c.hidden_size, c.num_labels) / c.hidden_size**0.5)
        self.prior = nn.Parameter(torch.zeros(c.num_labels))
        self.shared_prior = nn.Parameter(torch.zeros(1))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        types, places, tokens = self.tables
        x = tokens(input_ids) + places.weight[: input_ids.size(1)] + types.weight[0]
        x = self.drop(self.norms[0](x))
        visible = None if mask is None else mask.bool()
        for number, layer in enumerate(self.layers, 1):
            x = layer(x, visible, slice(0, 1) if number == len(self.layers) else slice(None))
        cls = self.drop(self.norms[1](x[:, 0]))
        return torch.einsum("bh,hl->bl", cls, self.head) + self.prior + self.shared_prior
