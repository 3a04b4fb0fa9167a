"""A small classifier like the course's, in which one mistake can be planted; for chapter 08."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Weigh = Callable[[Tensor, Tensor], Tensor]
Think = Callable[[Tensor, nn.Linear, nn.Linear], Tensor]


def weigh(scores: Tensor, mask: Tensor) -> Tensor:
    """Scores [batch, heads, query, key] → weights; mask [batch, 1, 1, key], 1 = may attend."""
    return scores.masked_fill(mask == 0, float("-inf")).softmax(-1)


def think(x: Tensor, widen: nn.Linear, narrow: nn.Linear) -> Tensor:
    """The feed-forward block."""
    return narrow(F.gelu(widen(x)))


class Layer(nn.Module):
    """A pre-norm encoder layer whose two inner steps are handed in."""

    def __init__(self, config: Any, weigh: Weigh, think: Think) -> None:
        super().__init__()
        width, self.heads = config.hidden_size, config.num_attention_heads
        self.weigh, self.think = weigh, think
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.project, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.widen = nn.Linear(width, config.intermediate_size)
        self.narrow = nn.Linear(config.intermediate_size, width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        parts = self.project(self.norms[0](x)).unflatten(-1, (3, self.heads, -1))
        query, key, value = parts.permute(2, 0, 3, 1, 4)  # each [batch, heads, seq, head_dim]
        scores = query @ key.mT / query.shape[-1] ** 0.5  # [batch, heads, query, key]
        context = self.weigh(scores, mask) @ value
        x = x + self.output(context.transpose(1, 2).flatten(2))
        return x + self.think(self.norms[1](x), self.widen, self.narrow)


class Classifier(nn.Module):
    """Embeddings, layers, a last LayerNorm and a linear map on [CLS].

    weigh: how scores and mask become weights
    think: what the feed-forward block does with its two linear maps
    layers: how many layers have weights of their own; the first one stands in for those missing
    """

    def __init__(
        self, config: Any, weigh: Weigh = weigh, think: Think = think, layers: int | None = None
    ) -> None:
        super().__init__()
        self.token = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        depth = config.num_hidden_layers
        own = [Layer(config, weigh, think) for _ in range(layers or depth)]
        self.layers = nn.ModuleList(own[i % len(own)] for i in range(depth))
        self.norm = nn.LayerNorm(config.hidden_size)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids: Tensor, mask: Tensor) -> Tensor:
        """input_ids and mask [batch, seq] → logits [batch, num_labels]"""
        x = self.token(input_ids) + self.position(torch.arange(input_ids.shape[1]))
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return self.classifier(self.norm(x)[:, 0])
