"""Looks for a reading of a candidate's parameters under which the reference gives its answers.

One exists: the candidate is right, however it is written. One exists with a switch thrown: that
switch is the mistake. It must not know what a check says about either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from ...candidate.candidate import Outcome, Problem
from ..gradients import gradients_of
from ..misconceptions.function_subject import Probe
from .evidence import Answer, Evidence, near
from .exact_gelu import activation_fits
from .layouts import LAYOUT_SWITCHES, evaluate
from .module_subject import ModuleSubject, Switches
from .places import places_of
from .used_parts import Values

# With these, numbers have several places.
_SHARING = {"layers_shared", "heads_shared", "one_key_value_head", "final_norm_added"}
READINGS = 40  # bounds are counts, never seconds: the same code gets the same mark on any machine


class Readings:
    """Readings of one candidate's parameters with roles filled in, made as far as asked for.

    Those that are right for a `single` token, where there are any; else all, as they are. A single
    token attends to itself alone: that settles all but queries and keys at once, also for code
    whose scale, mask or softmax is wrong.
    """

    def __init__(
        self, layouts: Iterator[Any], values: Values, fits: Callable[[Any], bool] | None = None
    ) -> None:
        self._layouts = islice(layouts, READINGS) if fits else layouts
        self._values = values
        self._fits = fits
        self._fitting = fits is not None
        self._made: list[tuple[Any, Any]] = []
        self._unfit: list[tuple[Any, Any]] = []

    def first(self, most: int) -> Iterator[tuple[Any, Any]]:
        """Up to `most` pairs of recipes and roles, likely ones first."""
        for index in range(most):
            while index >= len(self._made):
                if not self._make_one():
                    return
            if self._made[index][1] is not None:
                yield self._made[index]

    @property
    def settled(self) -> bool:
        """Whether a reading is right for a single token."""
        return next(self.first(1), None) is not None and self._fitting

    def _make_one(self) -> bool:
        """Read the parameters in one more way; False when there is none left."""
        parts = next(self._layouts, None)
        if parts is None:
            unfit, self._unfit = self._unfit, []
            if self._made or not unfit:
                return False
            self._made, self._fitting = unfit, False
            return True
        try:
            roles = evaluate(parts, self._values)
        except RuntimeError:  # sizes that agree in product alone
            roles = None
        if self._fits is None or (roles is not None and self._fits(roles)):
            self._made.append((parts, roles))
        elif roles is not None:
            self._unfit.append((parts, roles))
        return True


def _fits_one(subject: ModuleSubject, single: tuple[Probe, Answer], roles: Any) -> bool:
    try:
        return values_fit(subject, roles, [single], frozenset())
    except (RuntimeError, IndexError, KeyError, ValueError, TypeError):
        return False


@dataclass(frozen=True)
class Interpretation:
    """A reading that fits, and how far it was checked."""

    parts: Any  # recipes
    gradients_agree: bool
    tries: int


def interpret(
    subject: ModuleSubject,
    evidence: Evidence,
    on: Switches = frozenset(),
    most: int = READINGS,
) -> Interpretation | None:
    """The first reading under which the reference, with these switches, gives every answer.

    Several checks and the diagnosis ask for the same: it is sought once.
    """
    key = on, most
    if key not in evidence.found:
        evidence.found[key] = _interpret(subject, evidence, on, most)
    found: Interpretation | None = evidence.found[key]
    return found


def _interpret(
    subject: ModuleSubject, evidence: Evidence, on: Switches, most: int
) -> Interpretation | None:
    evidence.module.stay_in_time()
    pairs = [
        (probe, answer)
        for probe, answer in zip(evidence.probes, evidence.answers, strict=True)
        if isinstance(answer.outcome, Outcome) and isinstance(answer.outcome.value, Tensor)
    ]
    raised = [
        probe
        for probe, answer in zip(evidence.probes, evidence.answers, strict=True)
        if isinstance(answer.outcome, Problem)
    ]
    if not pairs or len(pairs) + len(raised) < len(evidence.probes):
        return None
    fallback: Interpretation | None = None
    readings = readings_of(subject, evidence, on)
    for tries, (parts, roles) in enumerate(readings.first(most), 1):
        evidence.module.stay_in_time()
        try:
            if not values_fit(subject, roles, pairs, on):
                continue
            if not all(_raises(subject, roles, probe, on) for probe in raised):
                continue
            if not activation_fits(subject, evidence, parts, on):
                continue
            if not on & _SHARING and not places_of(parts, evidence.values).are_apart:
                continue  # what one number decides twice is another function
        except (RuntimeError, IndexError, KeyError, ValueError, TypeError):
            continue  # this reading does not even go through the mathematics
        found = Interpretation(parts, _gradients_fit(subject, parts, evidence, pairs, on), tries)
        if found.gradients_agree:
            return found
        fallback = fallback or found
    return fallback


def readings_of(subject: ModuleSubject, evidence: Evidence, on: Switches) -> Readings:
    """The readings of the candidate's parameters under these switches, kept from try to try."""
    key = on & LAYOUT_SWITCHES
    if key not in evidence.readings:
        layouts = _layouts(subject, evidence, key)
        single = None if key else evidence.single
        fits = partial(_fits_one, subject, single) if single is not None else None
        evidence.readings[key] = Readings(layouts, evidence.values, fits)
    found: Readings = evidence.readings[key]
    return found


def _layouts(subject: ModuleSubject, evidence: Evidence, on: Switches) -> Iterator[Any]:
    """Of what inputs meet; where that is no whole module, as one used twice, of what is held."""
    first = next(found := subject.layouts(evidence.parts, on), None)
    if first is not None:
        yield first
        yield from found
    elif not on:
        yield from subject.layouts(evidence.held, on)


def values_fit(
    subject: ModuleSubject, roles: Any, pairs: list[tuple[Probe, Answer]], on: Switches
) -> bool:
    with torch.no_grad():
        for probe, answer in pairs:
            assert isinstance(answer.outcome, Outcome)
            expected = subject.run(roles, *probe.args, on=on, **probe.kwargs)
            got = subject.focused(answer.outcome.value, probe)
            if got.shape != expected.shape:
                return False
            if not near(got, subject.focused(expected, probe), subject.tolerance):
                return False
    return True


def _raises(subject: ModuleSubject, roles: Any, probe: Probe, on: Switches) -> bool:
    """Whether this mistake explains that the candidate raised an error."""
    try:
        with torch.no_grad():
            subject.run(roles, *probe.args, on=on, **probe.kwargs)
    except (RuntimeError, IndexError):
        return True
    return False


def _gradients_fit(
    subject: ModuleSubject,
    parts: Any,
    evidence: Evidence,
    pairs: list[tuple[Probe, Answer]],
    on: Switches,
) -> bool:
    """Whether gradients of inputs and parameters are those of the reference too."""
    for probe, answer in pairs:
        outcome = answer.outcome
        if answer.cotangent is None or not isinstance(outcome, Outcome):
            continue
        leaves = {n: v.detach().clone().requires_grad_() for n, v in evidence.values.items()}
        floats = [
            a.detach().clone().requires_grad_()
            for a in probe.args
            if isinstance(a, Tensor) and a.is_floating_point()
        ]
        given = iter(floats)
        args = [
            next(given) if isinstance(a, Tensor) and a.is_floating_point() else a
            for a in probe.args
        ]
        expected = subject.run(evaluate(parts, leaves), *args, on=on, **probe.kwargs)
        if not expected.requires_grad:
            continue
        wanted = [*floats, *leaves.values()]
        found = gradients_of(expected, wanted, answer.cotangent)
        mine = [*outcome.grads, *((outcome.parameter_grads or {}).get(n) for n in leaves)]
        if len(mine) != len(found):
            return False
        registered = {p.name for p in evidence.module.parameters}
        names = [*(["input"] * len(floats)), *leaves]
        sizes = (float(f.nan_to_num(0.0, 0.0, 0.0).abs().max()) for f in found if f is not None)
        largest = max(sizes, default=1.0)
        for name, right, got in zip(names, found, mine, strict=True):
            if name != "input" and name not in registered:
                continue
            zero = torch.zeros(()) if right is None else torch.zeros_like(right)
            one, other = (zero if got is None else got), (zero if right is None else right)
            if one.shape != other.shape and one.numel() > 1 and other.numel() > 1:
                return False
            # As a mistake has it, nan agrees with nan and inf with inf; alone they do not.
            same = (one == other) | (one.isnan() & other.isnan())
            apart = float((one - other).abs().masked_fill(same, 0.0).max())
            if not apart <= 5 * subject.tolerance * max(1.0, largest):
                return False
    return True
