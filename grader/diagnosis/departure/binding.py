"""Which line of a learner's does what which line of right code does, where both are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from ...worker.values import Opaque
from .departed import TURN, Point, made
from .recording import Recording
from .traced_lines import same

_MOST_POINTS = 200
Sequences = dict[Point, list[Any]]
_LEAST, _OFTEN = 2, 4  # inputs on which both do the same; enough where it is always one value


def sequences(recording: Recording) -> Sequences:
    """What each point makes, one after the other."""
    found: Sequences = {}
    for index, point, value in made(recording):
        if recording.events[index].caller:
            continue  # how often helpers are called is a matter of style
        if point in found or len(found) < _MOST_POINTS:
            found.setdefault(point, []).append(value)
    return found


def bound(
    mine: Sequence[Sequences], right: Sequence[Sequences], passing: Sequence[bool]
) -> list[dict[Point, list[Any]]]:
    """For each input, what right code has at those points that can be told to be the same."""
    points = {point for one in mine for point in one}
    others = {point for one in right for point in one}
    found: list[dict[Point, list[Any]]] = [{} for _ in mine]
    for point in points:
        twin = _twin(point, others, mine, right, passing)
        if twin is not None:
            for here, theirs in zip(found, right, strict=True):
                here[point] = theirs.get(twin, [])
    return found


def _twin(
    point: Point,
    others: set[Point],
    mine: Sequence[Sequences],
    right: Sequence[Sequences],
    passing: Sequence[bool],
) -> Point | None:
    """The one point of right code that is the same where all is right, and most often at all."""
    best: list[Point] = []
    most = (0, 0)
    for other in others:
        if (point[2] == TURN) != (other[2] == TURN):
            continue
        score = _score(point, other, mine, right, passing)
        if score is None or score < most:
            continue
        best = [other] if score > most else [*best, other]
        most = score
    if not best:
        return None
    if len(best) > 1 and any(
        not _alike(one.get(best[0], []), one.get(each, [])) for each in best[1:] for one in right
    ):
        return None
    return best[0]


def _score(
    point: Point,
    other: Point,
    mine: Sequence[Sequences],
    right: Sequence[Sequences],
    passing: Sequence[bool],
) -> tuple[int, int] | None:
    """How often both are the same, and how much that tells; None where they are not the same."""
    times = 0
    seen: set[str] = set()
    for one, two, passes in zip(mine, right, passing, strict=True):
        a, b = one.get(point, []), two.get(other, [])
        if _alike(a, b):
            times += bool(a)
            seen.update(_shown(each) for each in a if not isinstance(each, Opaque))
        elif passes:
            return None
    tells = times >= _LEAST and len(seen) >= _LEAST
    return (times, len(seen)) if tells or (seen and times >= _OFTEN) else None


def _alike(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(map(same, one, other))


def _shown(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"{tuple(value.shape)} {float(value.double().sum()):.4g}" if value.numel() else "[]"
    return repr(value)[:200]
