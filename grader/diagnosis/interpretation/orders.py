"""Orders of the symbols that a tensor's axes are products of; knows no parameters."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache


@cache
def orders(
    shape: tuple[int, ...], sizes: tuple[tuple[str, int], ...]
) -> tuple[tuple[str, ...], ...]:
    """The orders of the symbols whose consecutive products are `shape`, likely ones first."""
    found = []
    table = dict(sizes)
    for order in itertools.permutations(table):
        position = 0
        for length in shape:
            reached = 1
            while reached < length and position < len(order):
                reached *= table[order[position]]
                position += 1
            if reached != length:
                break
        else:
            if position == len(order):
                found.append(order)
    return tuple(sorted(found, key=_oddity))


def _oddity(order: tuple[str, ...]) -> int:
    """Heads before their features, roles first, inputs last, as nn.Linear has it."""
    place = {symbol: index for index, symbol in enumerate(order)}
    odd = 4 * int(place.get("H", -1) > place.get("D", 0))
    odd += 2 * place.get("T", 0)
    return odd + len(order) - 1 - place.get("E", len(order) - 1)


def product(lengths: Sequence[int]) -> int:
    """All of them multiplied."""
    total = 1
    for length in lengths:
        total *= length
    return total
