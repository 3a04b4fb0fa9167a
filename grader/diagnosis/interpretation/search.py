"""Looks for a reading of a candidate's parameters under which the reference gives its answers.

One exists: the candidate is right, however it is written. One exists with an edited reference:
that edit is the mistake. It must not know what a check says about either.
"""

import itertools
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from ...candidate.candidate import Outcome
from ...candidate.failures import CandidateError, Problem
from ..gradients import gradients_of
from ..misconceptions.function_subject import Probe
from ..misconceptions.wrong_turns import NONE
from ..sameness import is_float, near
from ..tolerances import READING
from .edited_reference import IMPOSSIBLE
from .evidence import Answer, Evidence, Interpretation
from .held import evaluate
from .module_subject import ModuleSubject, Numbers, Turns
from .places import places_of

_ORDERS = 4
_ORDERED = 4  # readings of another form that are asked about a single token
READINGS = 40  # bounds are counts, never seconds: the same code gets the same mark on any machine


class Readings:
    """Readings of one candidate's parameters with roles filled in, made as far as asked for.

    Those that are right for a `single` token, where there are any: it attends to itself alone,
    which settles all but queries and keys at once, also for code whose scale, mask or softmax is
    wrong; of these, those that are right for more tokens too. Else all, as they are.
    """

    def __init__(
        self, layouts: Iterator[Any], subject: ModuleSubject, evidence: Evidence, on: Turns
    ) -> None:
        """`on`: wrong turns that have what is held take this form, none for the form itself."""
        self._subject, self._evidence = subject, evidence
        plain = on == NONE
        self._found: list[tuple[Any, Any]] = []
        self._kept: list[Any] = []  # roles, by whose identity answers are kept
        self._are_right = plain and evidence.single is not None
        read = self._read(islice(layouts, READINGS))
        self._others = self._told_apart(read) if plain else self._likely(read, on)

    def first(self, most: int) -> Iterator[tuple[Any, Any]]:
        """Up to `most` pairs of what is held and the roles it makes, likely ones first."""
        for index in range(most):
            if index == len(self._found):
                self._found += islice(self._others, 1)
            if index == len(self._found):
                return
            yield self._found[index]

    @property
    def settled(self) -> bool:
        """Whether a reading is right for a single token."""
        return next(self.first(1), None) is not None and self._are_right

    def _read(self, layouts: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        """Each reading with its roles."""
        for parts in layouts:
            roles = evaluate(parts, self._evidence.values)
            self._kept.append(roles)
            yield parts, roles

    def _told_apart(self, read: Iterator[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
        right, unfit = [], []
        for parts, roles in read:
            if not self._are_right or not self._fits(roles, 0):
                unfit.append((parts, roles))
            elif len(self._evidence.cases) > 1 and self._fits(roles, 1):
                yield parts, roles
            else:
                right.append((parts, roles))
        if not self._found:
            self._are_right = bool(right)
            left = right or unfit
            if self._evidence.single is not None:
                self._put_together([roles for _, roles in left])
            yield from left

    def _likely(self, read: Iterator[tuple[Any, Any]], on: Turns) -> Iterator[tuple[Any, Any]]:
        """Of the first ones, those come first that are right for a single token."""
        few = list(islice(read, _ORDERED))
        if self._evidence.single is not None:
            few.sort(key=lambda pair: not fits(self._subject, self._evidence, on, pair[1], 0))
        yield from few
        yield from read

    def _put_together(self, many: list[Any]) -> None:
        """Find readings that differ in queries and keys alone, which a single token hides."""
        told = [(r, expected(self._subject, self._evidence, NONE, r, 0)) for r in many]
        known = [(roles, answer) for roles, answer in told if answer is not None]
        for roles, own in known:
            like = next((other for other, answer in known if torch.equal(own, answer)), roles)
            self._evidence.kept.alike[id(roles)] = like

    def _fits(self, roles: Any, case: int) -> bool:
        return fits(self._subject, self._evidence, NONE, roles, case)


def _answer(subject: ModuleSubject, on: Turns, roles: Any, probe: Probe) -> Tensor | None:
    """What the reference with these wrong turns answers, where it is promised, if it does."""
    try:
        with torch.inference_mode():
            found = subject.run(roles, *probe.args, on=on, **probe.kwargs)
            return subject.focused(found, probe)
    except IMPOSSIBLE:
        return None


def expected(
    subject: ModuleSubject, evidence: Evidence, on: Turns, roles: Any, case: int
) -> Tensor | None:
    """The same for the roles of a reading that is kept, worked out once."""
    if case == 0:
        roles = evidence.kept.alike.get(id(roles), roles)
    key = on, id(roles), case
    if roles is not None and key not in evidence.kept.expected:
        evidence.kept.expected[key] = _answer(subject, on, roles, evidence.cases[case][0])
    return evidence.kept.expected.get(key)


def fits(subject: ModuleSubject, evidence: Evidence, on: Turns, roles: Any, case: int) -> bool:
    """Whether that is the candidate's answer to this case."""
    found = expected(subject, evidence, on, roles, case)
    return found is not None and near(evidence.cases[case][1], found, subject.tolerance)


def values_fit(subject: ModuleSubject, roles: Any, cases: Sequence[tuple[Probe, Tensor]]) -> bool:
    """Whether the formula gives all answers with these numbers in its roles."""
    pairs = ((got, _answer(subject, NONE, roles, probe)) for probe, got in cases)
    return all(e is not None and near(got, e, subject.tolerance) for got, e in pairs)


def first_wrong(subject: ModuleSubject, evidence: Evidence) -> int | None:
    """The first case with another answer than the reference's; None where all are right."""
    _, roles = next(readings_of(subject, evidence, NONE).first(1), (None, None))
    cases = range(len(evidence.cases))
    return next((i for i in cases if not fits(subject, evidence, NONE, roles, i)), None)


def interpret(
    subject: ModuleSubject, evidence: Evidence, on: Turns = frozenset(), most: int = READINGS
) -> Interpretation | None:
    """The first reading under which the reference, with these wrong turns, gives every answer.

    Several checks and the diagnosis ask for the same: it is sought once.
    """
    key = on, most
    if key not in evidence.kept.found:
        evidence.kept.found[key] = _interpret(subject, evidence, on, most)
    return evidence.kept.found[key]


def _interpret(
    subject: ModuleSubject, evidence: Evidence, on: Turns, most: int
) -> Interpretation | None:
    evidence.module.stay_in_time()
    pairs = [(probe, answer) for probe, answer in evidence.asked if answer.value is not None]
    raised = [probe for probe, answer in evidence.asked if isinstance(answer.outcome, Problem)]
    if not pairs or len(pairs) + len(raised) < len(evidence.probes):
        return None
    fallback: Interpretation | None = None
    # What the plain formula gets wrong turns down the most, so that comes first.
    first = first_wrong(subject, evidence)
    cases = sorted(range(len(evidence.cases)), key=lambda case: case != first)
    readings = readings_of(subject, evidence, on)
    for parts, roles in readings.first(most):
        evidence.module.stay_in_time()
        if not all(_raises(subject, roles, probe, on) for probe in raised):
            break  # shapes are the same under every reading
        if not all(fits(subject, evidence, on, roles, case) for case in cases):
            continue
        try:
            if not _activation_fits(subject, evidence, parts, on):
                continue
            if not places_of(parts, evidence.values).are_apart:
                continue  # what one number decides twice is another function
        except IMPOSSIBLE:
            continue
        found = Interpretation(parts, _gradients_fit(subject, parts, evidence, pairs, on))
        if found.gradients_agree:
            return found
        fallback = fallback or found
    return fallback


def readings_of(subject: ModuleSubject, evidence: Evidence, on: Turns) -> Readings:
    """The readings of the candidate's parameters under these wrong turns, kept from try to try."""
    found: Readings | None = evidence.kept.readings.get(on)
    if found is None:
        form = subject.form(on)
        if form not in evidence.kept.readings:
            layouts = _layouts(subject, evidence, on)
            first = NONE if form == subject.form(NONE) else on
            evidence.kept.readings[form] = Readings(layouts, subject, evidence, first)
        found = evidence.kept.readings[on] = evidence.kept.readings[form]
    return found


def _layouts(subject: ModuleSubject, evidence: Evidence, on: Turns) -> Iterator[Numbers]:
    """Of what inputs meet; where that is no whole module, as one used twice, of what is held."""
    try:
        first = next(found := subject.readings(evidence.parts, on), None)
        if first is not None:
            yield first
            yield from found
        else:
            yield from subject.readings(evidence.held, on, whole=True)
    except ValueError:  # no program takes all of these wrong turns
        return


def _activation_fits(
    subject: ModuleSubject, evidence: Evidence, parts: Numbers, on: Turns = frozenset()
) -> bool:
    """Whether a reading also fits with the numbers with which its course tells more.

    True where there are none, or where it cannot be asked.
    """
    try:
        values = subject.telling(places_of(parts, evidence.values), evidence.values)
    except IMPOSSIBLE:
        return True
    if values is None:
        return True
    # Its tokens in several orders: logits of a few sentences may be alike by chance.
    args = [
        torch.cat([part.roll(k, 1) for k in range(_ORDERS)]) for part in evidence.probes[0].args
    ]
    try:
        got = evidence.run_with(values, *args).value
    except CandidateError:
        return True
    with torch.no_grad():
        expected = subject.run(evaluate(parts, values), *args, on=on)
    return isinstance(got, Tensor) and near(got, expected, READING)


def _raises(subject: ModuleSubject, roles: Any, probe: Probe, on: Turns) -> bool:
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
    on: Turns,
) -> bool:
    """Whether gradients of inputs and parameters are those of the reference too."""
    registered = {p.name for p in evidence.module.parameters}
    for probe, answer in pairs:
        outcome = answer.outcome
        if answer.cotangent is None or not isinstance(outcome, Outcome):
            continue
        leaves = {n: v.detach().clone().requires_grad_() for n, v in evidence.values.items()}
        args = [a.detach().clone().requires_grad_() if is_float(a) else a for a in probe.args]
        inputs = [a for a in args if is_float(a)]
        expected = subject.run(evaluate(parts, leaves), *args, on=on, **probe.kwargs)
        if not expected.requires_grad:
            continue
        found = gradients_of(expected, [*inputs, *leaves.values()], answer.cotangent)
        mine = [*outcome.grads, *((outcome.parameter_grads or {}).get(n) for n in leaves)]
        if len(mine) != len(found):
            return False
        sizes = (float(f.nan_to_num(0.0, 0.0, 0.0).abs().max()) for f in found if f is not None)
        most = 5 * subject.tolerance * max(1.0, max(sizes, default=1.0))
        counts = [*(True for _ in inputs), *(name in registered for name in leaves)]
        for right, got in itertools.compress(zip(found, mine, strict=True), counts):
            zero = torch.zeros(()) if right is None else torch.zeros_like(right)
            one, other = (zero if got is None else got), (zero if right is None else right)
            if one.shape != other.shape and one.numel() > 1 and other.numel() > 1:
                return False
            # As a mistake has it, nan agrees with nan and inf with inf; alone they do not.
            same = (one == other) | (one.isnan() & other.isnan())
            if not float((one - other).abs().masked_fill(same, 0.0).max()) <= most:
                return False
    return True
