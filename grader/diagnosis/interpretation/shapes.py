"""Which mistakes give an answer of the candidate's shape? It looks at no number."""

from __future__ import annotations

import torch
from torch import Tensor

from ...candidate.candidate import Outcome
from ..misconceptions.catalogue import Misconception
from .evidence import Evidence
from .layouts import evaluate
from .module_subject import ModuleSubject, Switches

_Shape = tuple[int, ...] | None


def explaining_shape(subject: ModuleSubject, evidence: Evidence) -> list[Misconception] | None:
    """The mistakes that may explain the shape of the first answer; None where it is right.

    None as well where it cannot be told, for no reading of the parameters is found.
    """
    first = evidence.outcomes[0]
    if not isinstance(first, Outcome) or not isinstance(first.value, Tensor):
        return None
    parts = next(subject.layouts(evidence.parts, frozenset()), None)
    if parts is None:
        return None

    def shape(on: Switches) -> _Shape:
        try:
            with torch.no_grad():
                roles = evaluate(parts, evidence.values)
                return tuple(subject.run(roles, *evidence.probes[0].args, on=on).shape)
        except (RuntimeError, IndexError, KeyError, ValueError, TypeError):
            return None  # it needs another reading, or has no answer

    got = tuple(first.value.shape)
    if shape(frozenset()) in (None, got):
        return None
    turns = [turn for turn in subject.misconceptions if turn.error is None]
    return [turn for turn in turns if shape(frozenset({turn.id})) in (None, got)]
