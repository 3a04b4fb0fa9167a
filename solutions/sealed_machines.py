"""Chapter 14: how few heads are enough, and what the three sealed machines compute."""

from collections.abc import Callable
from itertools import combinations

import torch
from torch import Tensor


def fewest_heads(answer: Callable[[list[int]], Tensor], num_heads: int) -> list[int]:
    """The fewest heads that are enough: alone they give every answer that all heads give.

    The other heads are silent then, and not one answer may differ. Of sets that are equally small,
    the one that comes first counts: compare their lowest heads, then the next ones. The set may be
    empty. That a head is not missed proves nothing, as another may stand in for it; and more heads
    are not always better. Of the machine you know what `answer` says, and nothing else; how often
    and in which order you ask it is up to you.

    answer:    takes the heads that speak, a list of different numbers, ascending, which may be
               empty, and leaves it as it is; returns the machine's answers then, long, of any
               shape, the same each time that it is asked
    num_heads: how many there are, 1 to 8; they are numbered from 0
    returns:   a list of plain numbers, ascending
    """
    every = list(range(num_heads))
    whole = answer(every)
    sets = (heads for count in range(num_heads + 1) for heads in combinations(every, count))
    return next(list(heads) for heads in sets if torch.equal(answer(list(heads)), whole))


def sealed_a(rows: Tensor) -> Tensor:
    """What machine A answers: its rule, without the machine.

    The rule goes on where the machine ends: a row has one token or more, and a token is any whole
    number from 0 to 10¹⁵. Each row is answered by itself. The rows stay as they are.

    rows:    [batch, seq], long; 0 is the letter a, 1 is b
    returns: [batch, seq], long
    """
    return rows.flip(-1)


def sealed_b(rows: Tensor) -> Tensor:
    """What machine B answers: its rule, without the machine.

    The rule goes on where the machine ends: a row has one token or more, and a token is any whole
    number from 0 to 10¹⁵. Each row is answered by itself. The rows stay as they are.

    rows:    [batch, seq], long; 0 is the letter a, 1 is b
    returns: [batch, seq], long
    """
    same = rows.unsqueeze(-1) == rows.unsqueeze(-2)  # [batch, seq, seq]
    return same.tril(-1).any(-1).long()


def sealed_c(rows: Tensor) -> Tensor:
    """What machine C answers: its rule, without the machine.

    The rule goes on where the machine ends: a row has one token or more, and a token is any whole
    number from 0 to 10¹⁵. What becomes of a token follows from its number, beyond the ten
    letters as within them. Each row is answered by itself. The rows stay as they are.

    rows:    [batch, seq], long; 0 is the letter a, 1 is b
    returns: [batch, seq], long
    """
    ascending = rows.sort(-1).values
    return ascending.gather(-1, (ascending % 2).argsort(dim=-1, stable=True))  # even tokens first
