# right: Java manners: one Head object per head with a ParameterDict of transposed matrices, no biases; the output projection is cut per head and the heads' contributions are accumulated in a loop
from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Protocol

import torch
from torch import Tensor, nn


class Sizes(Protocol):
    hidden_size: int
    num_attention_heads: int


class AbstractHead(ABC, nn.Module):
    @abstractmethod
    def contribution(self, tokens: Tensor, forbidden: Tensor | None) -> Tensor: ...

    def forward(self, tokens: Tensor, forbidden: Tensor | None) -> Tensor:
        return self.contribution(tokens, forbidden)


class Head(AbstractHead):
    ROLES = ("query", "key", "value")

    def __init__(self, hidden: int, width: int) -> None:
        super().__init__()
        self._width = width
        self.matrices = nn.ParameterDict()
        for role in Head.ROLES:
            self.matrices[role] = nn.Parameter(nn.init.xavier_normal_(torch.empty(hidden, width)))
        self.matrices["back"] = nn.Parameter(nn.init.xavier_normal_(torch.empty(width, hidden)))

    def _project(self, role: str, tokens: Tensor) -> Tensor:
        return torch.matmul(tokens, self.matrices[role])

    def _weights(self, tokens: Tensor, forbidden: Tensor | None) -> Tensor:
        scores = torch.matmul(self._project("query", tokens), self._project("key", tokens).mT)
        scores = scores.div(math.sqrt(self._width))
        if forbidden is not None:
            scores = scores.masked_fill(forbidden, float("-inf"))
        return torch.softmax(scores, dim=-1)

    def contribution(self, tokens: Tensor, forbidden: Tensor | None) -> Tensor:
        seen = torch.matmul(self._weights(tokens, forbidden), self._project("value", tokens))
        return torch.matmul(seen, self.matrices["back"])


class HeadFactory:
    @staticmethod
    def create(sizes: Sizes) -> list[Head]:
        if sizes.hidden_size % sizes.num_attention_heads != 0:
            raise ValueError("num_attention_heads must divide hidden_size")
        width = sizes.hidden_size // sizes.num_attention_heads
        return [Head(sizes.hidden_size, width) for _ in range(sizes.num_attention_heads)]


class MultiHeadAttention(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.heads = nn.ModuleList(HeadFactory.create(config))
        self.bias = nn.Parameter(torch.zeros(config.hidden_size))

    def forward(self, hidden_state: Tensor, mask: Tensor | None = None) -> Tensor:
        forbidden = None if mask is None else mask.bool().logical_not()
        total = self.bias.expand_as(hidden_state)
        for head in self.heads:
            total = total + head(hidden_state, forbidden)
        return total
