"""What numbers of a reading leave free: signs, scales, ranks; knows no module."""

from typing import Any

import torch
from torch import Tensor

from .held import Values

_LOCKED, _NEIGHBOURS = 1e-4, 60
MOVES = 1e-3  # more than what rounding moves


def turns_sign(values: Values, come_to: Values) -> bool:
    """Whether a parameter comes to itself with its sign turned.

    Where it always does, that is no layout, but a slip; a learned gain does so at times.
    """

    def ordered(value: Tensor) -> Tensor:  # in whatever layout, and times a positive number
        return (value / value.norm()).flatten().sort().values

    return any(
        torch.allclose(ordered(found), ordered(-own), atol=MOVES)
        for found in come_to.values()
        for own in values.values()
        if found.numel() == own.numel() > 1
    )


def product(one: Tensor | None, other: Tensor) -> float:
    """Their scalar product; 0 where one is missing or of another shape."""
    if one is None or one.shape != other.shape:
        return 0.0
    return float((one.double() * other.double()).sum())


def flat(roles: Any) -> Tensor:
    """All numbers of a reading, one behind the other."""
    return torch.cat([role.flatten() for role in roles.values()])


def freedom(role: Tensor) -> int:
    """How many numbers a role of this rank can choose."""
    if role.dim() < 2:
        return role.numel()
    rank = int(torch.linalg.matrix_rank(role.double(), rtol=1e-4))
    return rank * (sum(role.shape) - rank)


def is_free(drawn: Tensor) -> bool:
    """Whether every number moves in these draws [draws, numbers], and no two always alike."""
    moves = drawn - drawn.mean(0)
    size = moves.norm(dim=0)
    if bool((size <= 1e-5 * float(size.max())).any()):
        return False
    ways = (moves / size).T
    ways = ways * ways[:, :1].sign()
    ways = ways[ways[:, 0].argsort()]
    return all(
        not bool(((ways[apart:] - ways[:-apart]).norm(dim=1) < _LOCKED).any())
        for apart in range(1, min(_NEIGHBOURS, len(ways)))
    )
