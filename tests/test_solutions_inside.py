"""Chapter 13's reference keeps its contract at any size: the best fit, one head, fair shares."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from solutions.inside_bert import linear_probe, patch_head, share_of_way
from solutions.multi_head_attention import merge_heads, split_heads

SEEDS = st.integers(0, 10_000)
SMALL = st.integers(1, 6)


def cost(weight: Tensor, bias: Tensor, x: Tensor, goals: Tensor, ridge: float) -> float:
    return float((x @ weight + bias - goals).square().sum() + ridge * weight.square().sum())


@given(SEEDS, SMALL, SMALL, st.sampled_from([0.1, 2.0, 300.0]))
def test_no_other_weight_and_bias_cost_less(
    seed: int, words: int, hidden: int, ridge: float
) -> None:
    draw = torch.Generator().manual_seed(seed)
    x = torch.randn(words, hidden, generator=draw, dtype=torch.float64) + 3
    labels = torch.randint(2, (words,), generator=draw)
    asked = torch.cat([torch.zeros(1, hidden), torch.eye(hidden)]).double()
    bias, *slopes = linear_probe(x, labels, asked, ridge)  # of 0, and of each feature alone
    weight = torch.stack(slopes) - bias
    goals = 2.0 * labels.double() - 1
    least = cost(weight, bias, x, goals, ridge)
    for _ in range(8):
        other = weight + 0.1 * torch.randn(hidden, generator=draw)
        shift = 0.1 * torch.randn((), generator=draw)
        assert least <= cost(other, bias + shift, x, goals, ridge) + 1e-9


@given(SEEDS, SMALL, SMALL, st.integers(1, 4), SMALL, st.data())
def test_a_patch_is_an_exchange_of_one_split_head(
    seed: int, batch: int, seq: int, heads: int, head_dim: int, data: st.DataObject
) -> None:
    draw = torch.Generator().manual_seed(seed)
    found, instead = torch.randn(2, batch, seq, heads * head_dim, generator=draw)
    head = data.draw(st.integers(0, heads - 1))
    split = split_heads(found, heads).clone()
    split[:, head] = split_heads(instead, heads)[:, head]
    assert torch.equal(patch_head(found, instead, head, heads), merge_heads(split))


@pytest.mark.parametrize("head", [-1, 3, 21])
def test_a_head_that_is_not_there_is_refused(head: int) -> None:
    with pytest.raises(ValueError, match="no head"):
        patch_head(torch.zeros(1, 2, 6), torch.zeros(1, 2, 6), head, 3)


@pytest.mark.parametrize("shape", [(1, 1, 6), (2, 6), (1, 2, 12)])
def test_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shapes differ"):
        patch_head(torch.zeros(1, 2, 6), torch.zeros(shape), 0, 3)


@given(SEEDS, st.integers(2, 8))
def test_pairs_are_weighed_by_their_ways(seed: int, pairs: int) -> None:
    draw = torch.Generator().manual_seed(seed)
    patched = torch.randn(3, pairs, generator=draw, dtype=torch.float64)
    start, goal = torch.randn(2, pairs, generator=draw, dtype=torch.float64)
    goal[0] = start[0] + 1
    weights = (goal - start).abs()
    shares = (patched - start) / (goal - start)
    mean = (weights * shares).sum(-1) / weights.sum()
    torch.testing.assert_close(share_of_way(patched, start, goal), mean)


def test_a_pair_without_a_way_counts_nothing() -> None:
    start, goal = torch.tensor([0.0, 5.0]), torch.tensor([2.0, 5.0])
    assert share_of_way(torch.tensor([1.0, 99.0]), start, goal) == 0.5
