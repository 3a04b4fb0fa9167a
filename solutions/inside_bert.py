"""Chapter 13: what a trained encoder knows, and which head carries it; it must know no model."""

import torch
from torch import Tensor


def linear_probe(vectors: Tensor, labels: Tensor, asked: Tensor, ridge: float) -> Tensor:
    """Learn from some vectors which of two kinds their words are, and score other vectors.

    A score is weight · vector + bias, with one weight [hidden] and one bias for all. Its goal is
    +1 for label 1 and −1 for label 0. Weight and bias are those for which this sum is smallest:
    (score − goal)², over all of `vectors`, plus ridge · |weight|². The bias costs nothing. There
    may be fewer vectors than features. Vectors, labels and asked stay as they are, and require no
    gradients.

    vectors: [words, hidden], from −30 to 30; no feature is many times as large as others, but some
             may always be 0
    labels:  [words], long; 0 or 1, perhaps the same for all
    asked:   [questions, hidden]
    ridge:   from 0.01 to 10⁷; what 32 bits round off beside a tiny one is left open
    returns: [questions]; above 0 = label 1

    Source: Alain and Bengio 2016, "Understanding intermediate layers using linear classifier
    probes"; the fit is ridge regression, Hoerl and Kennard 1970.
    """
    goals = (2 * labels - 1).to(vectors.dtype)  # [words]
    middle, bias = vectors.mean(0), goals.mean()  # [hidden] and []
    x = vectors - middle  # [words, hidden]
    inner = x.T @ x + ridge * torch.eye(x.shape[1]).to(x)  # [hidden, hidden]
    weight = torch.linalg.solve(inner, x.T @ (goals - bias))  # [hidden]
    return (asked - middle) @ weight + bias  # [questions]


def patch_head(found: Tensor, instead: Tensor, head: int, num_heads: int) -> Tensor:
    """What all heads found, but one head says what it found in another run.

    In both tensors the heads lie side by side, as merge_heads leaves them: the numbers of head 0
    come first. Those of `head` are taken from `instead`, all others from `found`, to the last
    digit. Both stay as they are: they are needed again. Gradients flow back to what was taken.
    A patch that silently changes nothing would be measured as "no effect", so it is refused.

    found:     [batch, seq, hidden], finite
    instead:   [batch, seq, hidden], finite
    head:      0 … num_heads − 1
    num_heads: divides hidden
    returns:   [batch, seq, hidden]
    raises:    ValueError if there is no such head, or if the two shapes differ

    Source: Vig et al. 2020, "Investigating gender bias in language models using causal mediation
    analysis".
    """
    if not 0 <= head < num_heads:
        raise ValueError(f"there is no head {head}: there are {num_heads}, from 0 on")
    if found.shape != instead.shape:
        raise ValueError(f"shapes differ: {list(found.shape)} and {list(instead.shape)}")
    head_dim = found.shape[-1] // num_heads
    own = slice(head * head_dim, (head + 1) * head_dim)
    patched = found.clone()
    patched[..., own] = instead[..., own]
    return patched  # [batch, seq, hidden]


def share_of_way(patched: Tensor, start: Tensor, goal: Tensor) -> Tensor:
    """How far a change takes the answers from start to goal: 0 = nowhere, 1 = all the way.

    The share of one pair is (patched − start) / (goal − start). Taken together, a pair counts as
    much as its way |goal − start| is long. A step away from the goal counts against it, a step
    beyond the goal counts in full. A pair without a way counts nothing, wherever patched is. The
    three tensors stay as they are, and may require gradients.

    patched: [..., pairs], from −10³⁰ to 10³⁰: the answers after a change; the axes in front are
             different changes, and there is one at least
    start:   [pairs]: the answers before it
    goal:    [pairs]: the answers of the sentence that the change was taken from; some pair has a
             way, and none has one that is shorter than 10⁻³ but not 0
    returns: [...]: one number for each change
    """
    way = goal - start  # [pairs]
    towards = (patched - start) * way.sign()  # [..., pairs]
    return towards.sum(-1) / way.abs().sum()  # [...]
