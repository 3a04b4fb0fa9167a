"""Names several mistakes of one module, found one after the other; decides no verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from ...candidate.candidate import Outcome
from ..misconceptions.function_subject import Probe
from ..one_by_one import Trial, Unit, one_by_one
from ..sameness import distance
from .evidence import Evidence, near
from .module_subject import ModuleSubject, Switches
from .search import readings_of

_MOST_TRIED, _MOST_OF_STACKS = 3000, 500
_IMPOSSIBLE = (RuntimeError, IndexError, KeyError, ValueError, TypeError)


def several(
    subject: ModuleSubject,
    evidence: Evidence,
    units: Sequence[Unit],
    starts: Sequence[Unit],
    fits: Callable[[Switches], bool],
) -> tuple[str, ...]:
    """The names of mistakes that together give every answer; empty where none are found.

    The single token comes first, on which most mistakes of an attention do not show; then inputs
    without a mask, then those with one.
    """
    cases = _cases(subject, evidence)

    def error(on: Switches, case: int) -> float:
        probe, value = cases[case]
        got = subject.focused(value, probe)
        _, roles = next(readings_of(subject, evidence, on).first(1), (None, None))
        if roles is None:
            return math.inf
        try:
            with torch.no_grad():
                expected = subject.run(roles, *probe.args, on=on, **probe.kwargs)
        except _IMPOSSIBLE:
            return math.inf
        expected = subject.focused(expected, probe)
        return 0.0 if near(got, expected, subject.tolerance) else distance(expected, got)

    def minimal(on: Switches) -> bool:
        return fits(on) and not any(
            fits(on - unit.switches) for unit in units if unit.switches & on
        )

    most = _MOST_OF_STACKS if subject.is_deep else _MOST_TRIED
    return one_by_one(Trial(units, len(cases), error, minimal, most), starts)


def _cases(subject: ModuleSubject, evidence: Evidence) -> list[tuple[Probe, Tensor]]:
    asked = [
        *([evidence.single] if evidence.single else []),
        *zip(evidence.probes, evidence.answers, strict=True),
    ]
    asked = sorted(asked, key=lambda pair: len(pair[0].args))
    outcomes = [(probe, answer.outcome) for probe, answer in asked]
    return [
        (probe, outcome.value)
        for probe, outcome in outcomes
        if isinstance(outcome, Outcome) and isinstance(outcome.value, Tensor)
    ]
