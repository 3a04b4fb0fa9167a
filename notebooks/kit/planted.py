"""A small classifier of PyTorch's own layers, in which one mistake can be planted; for chapter 08.

No part of it is an exercise's: whole layers are what exercises may not use.
"""

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Weigh = Callable[[Tensor, Tensor], Tensor]
Think = Callable[[Tensor, nn.Linear, nn.Linear], Tensor]


class Layer(nn.TransformerEncoderLayer):
    """PyTorch's encoder layer, pre-norm; two of its inner steps can be handed in."""

    def __init__(self, config: Any, weigh: Weigh | None, think: Think | None) -> None:
        sizes = config.hidden_size, config.num_attention_heads, config.intermediate_size
        gelu = partial(F.gelu)  # known as GELU, PyTorch would at times run the layer in one piece
        super().__init__(*sizes, 0.0, gelu, batch_first=True, norm_first=True)
        self.weigh, self.think = weigh, think

    def _sa_block(self, x: Tensor, *masks: Any, **more: Any) -> Tensor:
        """The attention; where `weigh` is given, PyTorch's own code with it for its softmax."""
        if self.weigh is None:
            return super()._sa_block(x, *masks, **more)
        weigh, own, known = self.weigh, self.self_attn, F.multi_head_attention_forward
        mask = (masks[1] == 0).int()[:, None, None, :]  # PyTorch's has −inf at padding

        def weights(scores: Tensor, dim: int) -> Tensor:
            """From scores [batch · heads, query, key]."""
            return weigh(scores.unflatten(0, (len(x), -1)), mask).flatten(0, 1)

        names = {**known.__globals__, "softmax": weights}
        run = FunctionType(known.__code__, names, argdefs=known.__defaults__)
        rows, into, out = [x.transpose(0, 1)] * 3, own.in_proj_weight, own.out_proj
        settings = own.embed_dim, own.num_heads, into, own.in_proj_bias, None, None, False, 0.0
        return run(*rows, *settings, out.weight, out.bias)[0].transpose(0, 1)

    def _ff_block(self, x: Tensor) -> Tensor:
        if self.think is None:
            return super()._ff_block(x)
        return self.think(x, self.linear1, self.linear2)


class Classifier(nn.Module):
    """Embeddings, PyTorch's encoder and a linear map on [CLS].

    weigh: how scores [batch, heads, query, key] and mask [batch, 1, 1, key], 1 = may attend,
           become weights
    think: what the feed-forward block does with its two linear maps
    layers: how many layers have weights of their own; the first one stands in for those missing
    """

    def __init__(
        self,
        config: Any,
        weigh: Weigh | None = None,
        think: Think | None = None,
        layers: int | None = None,
    ) -> None:
        super().__init__()
        self.token = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        depth, norm = config.num_hidden_layers, nn.LayerNorm(config.hidden_size)
        own = [Layer(config, weigh, think) for _ in range(layers or depth)]
        self.encoder = nn.TransformerEncoder(own[0], depth, norm, enable_nested_tensor=False)
        self.encoder.layers = nn.ModuleList(own[i % len(own)] for i in range(depth))
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids: Tensor, mask: Tensor) -> Tensor:
        """input_ids and mask [batch, seq] → logits [batch, num_labels]"""
        x = self.token(input_ids) + self.position(torch.arange(input_ids.shape[1]))
        x = self.encoder(x, src_key_padding_mask=mask == 0)
        return self.classifier(x[:, 0])
