"""Tells fixed values of ε apart, on tokens so small that each shows; knows no other mistake.

The answers to ordinary tokens, whose variance is near 1, are the same for 1e-12 and for 1e-5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ..candidate import CandidateError
from ..misconceptions.subject import Misconception
from .evidence import Evidence, near
from .layouts import evaluate
from .places import Place, Places, places_of
from .search import interpret
from .subject import ModuleSubject

_SMALLER = 1e-5  # tables or inputs: the variance of a token is then near 1e-11
_TABLES = (("token", "w"), ("position", "w"), ("token_type", "w"))
_ADDED = (  # what a layer adds to its input
    *(("attention", "o_w"), ("attention", "o_b")),
    *(("contract", "w"), ("contract", "b")),
)
_TOLD = ("Embeddings", "PostNormEncoderLayer", "BertEncoder")
_FIXED = ("eps_ignored", "eps_1e12", "eps_1e6", "eps_1e5")


def with_right_epsilon(
    subject: ModuleSubject, evidence: Evidence, turns: Sequence[Misconception], most: int
) -> tuple[Misconception, ...]:
    """The same mistakes with the ε that the candidate has; none where it has no known one.

    Only where tables or a sum feed the norm: where the input does, a probe shows it.
    """
    on = frozenset(turn.id for turn in turns)
    if not on & set(_FIXED) or subject.exercise not in _TOLD:
        return tuple(turns)
    right = interpret(subject, evidence, on, most)
    if right is None:
        return ()
    values = {name: value.clone() for name, value in evidence.values.items()}
    places = places_of(right.parts, values)
    for place in _TABLES:
        if place in places:
            places.multiply(values, place, _SMALLER)
    for place in places.numbers:
        if place[-2:] in _ADDED:
            places.assign(values, place, 0.0)
    for norm in _inner_norms(places):
        for leaf in "wb":
            if (*norm, leaf) in places:
                places.multiply(values, (*norm, leaf), _SMALLER)
    args = [_smaller(part) for part in evidence.probes[0].args]
    try:
        evidence.module.write(values)
        got = evidence.module.run(*args).value
    except CandidateError:
        return ()
    finally:
        evidence.module.write(evidence.values)
    roles = evaluate(right.parts, values)
    known = {turn.id: turn for turn in subject.misconceptions}
    for name in _FIXED:
        with torch.no_grad():
            expected = subject.run(roles, *args, on=on - set(_FIXED) | {name})
        if isinstance(got, Tensor) and near(got, expected, subject.tolerance):
            return tuple(known[name] if turn.id in _FIXED else turn for turn in turns)
    return ()


def _inner_norms(places: Places) -> list[Place]:
    """All norms whose answer another one gets."""
    norms = {place[:-1] for place in places.numbers if str(place[-2]).startswith("norm")}
    return sorted(norms, key=lambda norm: (norm[1] if len(norm) > 1 else -1, norm[-1]))[:-1]


def _smaller(part: Any) -> Any:
    return part * _SMALLER if isinstance(part, Tensor) and part.is_floating_point() else part
