"""Tells fixed values of ε apart, on tables so small that each shows; knows no other mistake.

The answers to ordinary tables, whose variance is near 1, are the same for 1e-12 and for 1e-5.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ...candidate.candidate import CandidateError
from ..misconceptions.catalogue import Misconception
from .evidence import Evidence, near
from .layouts import evaluate
from .module_subject import ModuleSubject
from .places import places_of
from .search import interpret

_SMALLER = 1e-5  # tables: the variance of a sum of their rows is then near 1e-11
_TABLES = (("token", "w"), ("position", "w"), ("token_type", "w"))
_FIXED = ("eps_ignored", "eps_1e12", "eps_1e6", "eps_1e5")


def with_right_epsilon(
    subject: ModuleSubject, evidence: Evidence, turns: Sequence[Misconception], most: int
) -> tuple[Misconception, ...]:
    """The same mistakes with the ε that the candidate has; none where it has no known one.

    Only where tables feed the norm: where the input does, a probe shows it.
    """
    on = frozenset(turn.id for turn in turns)
    if not on & set(_FIXED) or subject.exercise != "Embeddings":
        return tuple(turns)
    right = interpret(subject, evidence, on, most)
    if right is None:
        return ()
    values = {name: value.clone() for name, value in evidence.values.items()}
    places = places_of(right.parts, values)
    for place in _TABLES:
        if place in places:
            places.multiply(values, place, _SMALLER)
    probe = evidence.probes[0]
    try:
        with evidence.holding(values):
            got = evidence.module.run(*probe.args).value
    except CandidateError:
        return ()
    roles = evaluate(right.parts, values)
    known = {turn.id: turn for turn in subject.misconceptions}
    for name in _FIXED:
        with torch.no_grad():
            expected = subject.run(roles, *probe.args, on=on - set(_FIXED) | {name})
        if isinstance(got, Tensor) and near(got, expected, subject.tolerance):
            return tuple(known[name] if turn.id in _FIXED else turn for turn in turns)
    return ()
