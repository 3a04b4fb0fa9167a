"""Chapter 04: from scores to weights to a weighted average of values; it holds no parameters."""

from collections.abc import Callable

import torch
from torch import Tensor

from solutions.attention_scores import attention_scores


def softmax(x: Tensor, dim: int) -> Tensor:
    """Turn numbers into positive weights that sum to 1 along one dimension.

    Each weight is proportional to exp(x). Stable: inputs such as 1000 or -1000 neither overflow nor
    turn into nan, in any row, whatever stands in the other rows. -inf gets weight 0;
    a row of nothing else is left open.
    Gradients flow through it, the input stays as it is, and no ready-made softmax is called.

    x:       [...], float32, one axis or more; no +inf, no nan, and no axis is empty
    dim:     the dimension whose entries compete, at least one; may be negative
    returns: [...], the shape of x
    """
    shifted = x - x.amax(dim, keepdim=True)  # the largest becomes 0, so exp cannot overflow
    exponentials = shifted.exp()
    return exponentials / exponentials.sum(dim, keepdim=True)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the keys that each query may attend to; the other keys get weight 0.

    The weights of each query sum to 1 over the keys that are left. What stands at a hidden key
    makes no difference, however far it is above or below the others. Stable, like softmax.
    Gradients flow back to the scores. Scores and mask stay as they are. Each query has at least one
    key to attend to. No ready-made masked softmax is called.

    scores:  [batch, query, key], float32, from −20000 to 20000, at hidden keys too: no inf, no nan
    mask:    broadcasts to [batch, query, key]; bool or 0/1 integers, 1 = may attend
    returns: [batch, query, key]
    """
    hidden = mask == 0
    return softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)  # [batch, query, key]


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Attention: for each query, the average of all values, weighted by how well their keys fit.

    The weights are the softmax, over the keys, of the scaled dot products of chapter 03.
    What stands at a hidden key, and in its value, makes no difference. Scores may go from −20000 to
    20000; inf and nan are never given. Gradients flow back to queries, keys and values; all that is
    given stays as it is. No ready-made attention is called.

    query:   [batch, query, d_k]
    key:     [batch, key, d_k]
    value:   [batch, key, value_dim]
    mask:    [batch, 1, key] or [batch, query, key]; bool or 0/1 integers, 1 = may attend, and each
             query has one key at least; None = everybody may attend to everybody
    returns: [batch, query, value_dim]

    Source: Vaswani et al. 2017, "Attention is all you need", equation 1.
    """
    scores = attention_scores(query, key)  # [batch, query, key]
    weights = softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ value  # [batch, query, value_dim]


def spot_softmax(candidate: Callable[[Tensor, Tensor], Tensor]) -> bool:
    """Find the mistake: is this implementation of masked_softmax right?

    candidate(scores, mask) promises what masked_softmax promises: stable in every row, hidden keys
    without influence, wherever they stand and however high they score, bool and integer masks, both
    inputs left as they are. Call it on inputs of your choice and judge what comes back. Every right
    formulation must get through: rounding differs from one to the next by about 1e-6, and by 1e-3
    where scores are near 20000. A candidate that raises an error is a wrong one. Values, shape and
    untouched inputs count; none is wrong in gradients or dtype alone.

    candidate: scores [batch, query, key] and a mask that broadcasts to them → [batch, query, key]
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    plain = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(4))
    extreme = [[500.0, 501, 0, 490], [200, 0, 0, 460], [0, 1, 2, 9], [-19999, -2e4, -19999, -19999]]
    scattered = torch.tensor([[[1, 0, 1, 0]], [[1, 1, 1, 1]]])  # sentence 0 has holes, 1 has none
    staircase = torch.ones(3, 4).tril(1).bool()  # for each query another, for all sentences one
    last_hidden = torch.tensor([[[1, 1, 1, 0]]])
    cases = [
        (plain, scattered, 1e-5),
        (plain, staircase, 1e-5),
        (torch.tensor([extreme]), last_hidden, 1e-2),
    ]
    try:
        for scores, mask, tolerance in cases:
            given_scores, given_mask = scores.clone(), mask.clone()
            weights = candidate(given_scores, given_mask)
            if not (torch.equal(given_scores, scores) and torch.equal(given_mask, mask)):
                return False
            # No right version is needed: the promises leave one answer.
            hidden = (mask == 0).expand_as(scores)
            seen = scores.masked_fill(hidden, -torch.inf)
            best, place = seen.max(-1, keepdim=True)
            if weights.shape != scores.shape or (weights[hidden] > 1e-6).any():
                return False
            ratios = weights / weights.gather(-1, place)  # e to the difference of two scores
            sums = weights.sum(-1)
            if not torch.allclose(sums, torch.ones_like(sums), atol=tolerance):
                return False
            if not torch.allclose(ratios, (seen - best).exp(), atol=tolerance):
                return False
    except Exception:
        return False
    return True
