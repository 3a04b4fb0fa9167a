"""Chapter 05: several attentions side by side, each on its own slice of the features; no layers."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from solutions.softmax import scaled_dot_product_attention


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Cut the features of every token into equal slices, one for each head.

    Head h of a token holds the features h·head_dim to (h+1)·head_dim − 1 of that same token, where
    head_dim = hidden / num_heads. No number changes and no token moves to another position. The
    input stays as it is, and gradients flow back to every feature.

    x:       [batch, seq, hidden], its numbers in order in memory; num_heads divides hidden
    returns: [batch, num_heads, seq, head_dim]
    """
    x = x.unflatten(-1, (num_heads, -1))  # [batch, seq, heads, head_dim]
    return x.transpose(1, 2)  # [batch, heads, seq, head_dim]


def merge_heads(x: Tensor) -> Tensor:
    """Lay the heads of every token side by side again: undoes split_heads.

    The features of a token are those of head 0, then those of head 1, and so on. The input stays as
    it is, and gradients flow back to every head.

    x:       [batch, heads, seq, head_dim]
    returns: [batch, seq, heads · head_dim]
    """
    x = x.transpose(1, 2)  # [batch, seq, heads, head_dim]
    return x.flatten(2)  # [batch, seq, hidden]


class AttentionHead(nn.Module):
    """One head of self-attention: three learned projections, then scaled dot-product attention.

    Each token is projected to a query, a key and a value of width head_dim. Every projection has
    weights of its own; biases are up to you. What stands at a hidden position makes no difference
    to the others, also where scores are near 1000. nn.MultiheadAttention is not used.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.2.
    """

    def __init__(self, embed_dim: int, head_dim: int) -> None:
        """Create the projections for queries, keys and values, each embed_dim → head_dim."""
        super().__init__()
        self.query = nn.Linear(embed_dim, head_dim)
        self.key = nn.Linear(embed_dim, head_dim)
        self.value = nn.Linear(embed_dim, head_dim)

    def forward(self, hidden_state: Tensor, mask: Tensor | None = None) -> Tensor:
        """Let every token attend to the tokens of its sentence that the mask allows.

        hidden_state: [batch, seq, embed_dim]; stays as it is
        mask:         [batch, 1, key] or [batch, query, key]; bool or 0/1 integers, 1 = may attend,
                      and each query has one key at least; None = everybody may attend to everybody
        returns:      [batch, seq, head_dim]
        """
        query = self.query(hidden_state)  # [batch, seq, head_dim]
        key = self.key(hidden_state)
        value = self.value(hidden_state)
        return scaled_dot_product_attention(query, key, value, mask)  # [batch, seq, head_dim]


class MultiHeadAttention(nn.Module):
    """Self-attention with config.num_attention_heads heads, then an output projection.

    Each head has query, key and value projections of its own, of width hidden_size /
    num_attention_heads, and a softmax of its own. The heads' results are concatenated in order and
    projected once more, hidden_size → hidden_size. Biases and dropout inside the attention are up
    to you. What stands at a hidden position makes no difference to the others, also where scores
    are near 1000. nn.MultiheadAttention is not used.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.2.2.
    """

    def __init__(self, config: Any) -> None:
        """Create the projections of all heads and the output projection.

        config: has hidden_size and num_attention_heads
        raises: ValueError where num_attention_heads does not divide hidden_size; that is good
                manners, and the checks do not ask for it
        """
        super().__init__()
        width, self.num_heads = config.hidden_size, config.num_attention_heads
        if width % self.num_heads:
            raise ValueError(f"{self.num_heads} heads do not divide {width} features evenly")
        self.query = nn.Linear(width, width)  # all heads at once, head after head
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def forward(self, hidden_state: Tensor, mask: Tensor | None = None) -> Tensor:
        """Let every head attend by itself, then combine what they found.

        hidden_state: [batch, seq, hidden]; stays as it is
        mask:         [batch, 1, key] or [batch, query, key], the same for all heads; bool or 0/1
                      integers, 1 = may attend, and each query has one key at least; None =
                      everybody may attend to everybody
        returns:      [batch, seq, hidden]
        """
        query, key, value = (
            split_heads(project(hidden_state), self.num_heads)  # [batch, heads, seq, head_dim]
            for project in (self.query, self.key, self.value)
        )
        if mask is not None:
            mask = mask.unsqueeze(-3)  # [batch, 1, query, key]: one mask for all heads
        context = scaled_dot_product_attention(query, key, value, mask)
        return self.output(merge_heads(context))  # [batch, seq, hidden]


def spot_multi_head_attention(candidate: Callable[[Tensor, int], Tensor]) -> bool:
    """Find the mistake: is this implementation of split_heads right?

    candidate(x, num_heads) promises what split_heads promises. Call it on inputs of your choice and
    judge what comes back: numbers are only moved, so a right candidate is right exactly. A
    candidate that raises an error is a wrong one. Values and shape count; none is wrong in
    gradients or in what becomes of its input alone.

    candidate: x [batch, seq, hidden] and num_heads → [batch, num_heads, seq, head_dim]
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    x = torch.arange(2 * 3 * 20.0).view(2, 3, 20)  # every number once, so none can hide
    try:
        for num_heads, head_dim in ((4, 5), (5, 4)):
            found = candidate(x.clone(), num_heads)
            if found.shape != (2, num_heads, 3, head_dim):
                return False
            for head in range(num_heads):  # each head is a slice of every token's features
                part = x[..., head * head_dim : (head + 1) * head_dim]
                if not torch.equal(found[:, head], part):
                    return False
    except Exception:
        return False
    return True
