"""Chapter 07: what keeps a deep stack trainable, and one encoder layer; no embeddings, no stack."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from solutions.feed_forward import FeedForward
from solutions.multi_head_attention import MultiHeadAttention


class LayerNorm(nn.Module):
    """Layer normalisation: give every token's features mean 0 and variance 1, then scale and shift.

    Each token is normalised by its own mean and its own biased variance (divided by hidden_size,
    not by hidden_size − 1); eps is added to the variance, inside the root. Then come a learned
    scale and a learned shift, one number each for every feature. It is the same in
    training and in evaluation. No ready-made norm is used.

    Source: Ba, Kiros and Hinton 2016, "Layer normalization"; eps as in BERT.
    """

    def __init__(self, hidden_size: int, eps: float = 1e-12) -> None:
        """Create scale [hidden_size], all ones, and shift [hidden_size], all zeros."""
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.bias = nn.Parameter(torch.zeros(hidden_size))

    def forward(self, x: Tensor) -> Tensor:
        """Normalise every token by itself: tiny ones and those far from 0 come out right, too.

        Where all features of a token are equal and eps is above 0, it becomes the shift, never nan.
        A tiny eps may magnify what rounding leaves of it.

        x:       [batch, seq, hidden]; stays as it is
        returns: [batch, seq, hidden]
        """
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)  # [batch, seq, 1]
        return self.weight * centred / (variance + self.eps).sqrt() + self.bias


class TransformerEncoderLayer(nn.Module):
    """One encoder layer, pre-norm: normalise first, then transform, then add to what came in.

    First multi-head attention, then the feed-forward network, each with a LayerNorm of its own in
    front and a residual connection around both. Nothing is normalised after the last addition.
    PyTorch's own encoder layer is not used. A dropout of what the attention returns is up to you,
    and so is the norms' ε.

    Source: Xiong et al. 2020, "On layer normalization in the transformer architecture", figure 1b.
    """

    def __init__(self, config: Any) -> None:
        """Create the attention, the feed-forward network and a LayerNorm for each.

        config: has hidden_size, num_attention_heads, intermediate_size, hidden_dropout_prob and
                layer_norm_eps
        """
        super().__init__()
        self.attention_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.attention = MultiHeadAttention(config)
        self.feed_forward_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.feed_forward = FeedForward(config)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Let the tokens exchange what they know, then let each work by itself.

        x:       [batch, seq, hidden]; stays as it is
        mask:    [batch, 1, key] or [batch, query, key]; bool or 0/1 integers, 1 = may attend, and
                 each query has one key at least; None = everybody may attend to everybody
        returns: [batch, seq, hidden]
        """
        x = x + self.attention(self.attention_norm(x), mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class PostNormEncoderLayer(nn.Module):
    """One encoder layer, post-norm, as in BERT: transform, add to what came in, then normalise.

    First multi-head attention, then the feed-forward network. Dropout with hidden_dropout_prob is
    applied to what the attention returns, before it is added. The feed-forward network ends with a
    dropout of its own; whether another follows is up to you. After each addition comes a LayerNorm
    of its own. The norms' ε is up to you here; the weights of chapter 09 want
    config.layer_norm_eps. PyTorch's own encoder layer is not used.

    Source: Vaswani et al. 2017, section 3.1; Devlin et al. 2019, "BERT".
    """

    def __init__(self, config: Any) -> None:
        """Create the attention, the feed-forward network, the dropout and a LayerNorm for each.

        config: has hidden_size, num_attention_heads, intermediate_size, hidden_dropout_prob and
                layer_norm_eps
        """
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.attention_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.feed_forward = FeedForward(config)  # ends with a dropout of its own
        self.feed_forward_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Let the tokens exchange what they know, then let each work by itself.

        x:       [batch, seq, hidden]; stays as it is
        mask:    [batch, 1, key] or [batch, query, key]; bool or 0/1 integers, 1 = may attend, and
                 each query has one key at least; None = everybody may attend to everybody
        returns: [batch, seq, hidden]
        """
        x = self.attention_norm(x + self.dropout(self.attention(x, mask)))
        return self.feed_forward_norm(x + self.feed_forward(x))


def spot_layer_norm(candidate: Callable[[Tensor, Tensor, Tensor, float], Tensor]) -> bool:
    """Find the mistake: is this layer normalisation, written as a function, right?

    candidate(x, weight, bias, eps) promises what LayerNorm promises, with scale and shift given,
    and leaves all of its inputs as they are. Call it on inputs of your choice and judge what comes
    back: eps is added to the variance, tiny as both may be, constant tokens give the shift and not
    nan, and a large mean must not spoil the variance. Every right formulation must get through:
    rounding differs from one to the next by about 1e-6, by more where the mean is large. A
    candidate that raises an error is a wrong one. Values, shape and untouched inputs count; none is
    wrong in gradients or dtype alone.

    candidate: x [batch, seq, hidden], weight [hidden], bias [hidden] and eps → [batch, seq, hidden]
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    generator = torch.Generator().manual_seed(7)
    x = torch.randn(2, 3, 4, generator=generator)
    weight, bias = torch.randn(4, generator=generator), torch.randn(4, generator=generator)
    exact = torch.tensor([[[1e4, 10001, 10002, 10005], [2, 2, 2, 2], [-1, 0, 3, 6]]])
    try:
        for tokens, eps in [(x, 0.1), (x * 1e-4, 1e-12), (x * 1e-4, 1e-8), (exact, 1e-12)]:
            norm = LayerNorm(4, eps)
            norm.weight.data, norm.bias.data = weight, bias
            given = tokens.clone(), weight.clone(), bias.clone()
            found, expected = candidate(*given, eps), norm(tokens)
            if found.shape != expected.shape or not torch.allclose(found, expected, atol=1e-4):
                return False
            if not all(map(torch.equal, given, (tokens, weight, bias))):
                return False
    except Exception:
        return False
    return True
