"""One way to read a module's parameters as the reference's, and what the reference answers then."""

import itertools
from collections.abc import Iterable
from functools import cached_property

import torch
from torch import Tensor

from ...candidate.candidate import Outcome
from ...candidate.failures import CandidateError
from ..gradients import gradients_of
from ..misconceptions.function_subject import Probe
from ..misconceptions.wrong_turns import NONE, Turns
from ..sameness import is_float, near
from ..tolerances import READING
from .edited_reference import IMPOSSIBLE
from .evidence import Evidence
from .held import evaluate
from .module_subject import Numbers
from .places import Places, places_of

_ORDERS = 4


class Reading:
    """A layout of a candidate's parameters with their numbers in it, and what comes of that."""

    def __init__(self, evidence: Evidence, layout: Numbers) -> None:
        self.evidence, self.subject = evidence, evidence.subject
        self.layout = layout
        self.roles = evaluate(layout, evidence.values)
        self.twin = self  # the first one that a single token cannot tell from this one
        self.agree: dict[Turns, bool] = {}  # whether gradients do, once that is known
        self._expected: dict[tuple[Turns, int], Tensor | None] = {}

    @cached_property
    def places(self) -> Places:
        """Where the numbers of each role live."""
        return places_of(self.layout, self.evidence.values)

    def expected(self, on: Turns, case: int) -> Tensor | None:
        """What the reference answers to a case, where it is promised; None where it does not."""
        one = self.twin if case == 0 else self
        if (on, case) not in one._expected:
            probe, _ = self.evidence.cases[case]
            one._expected[on, case] = self.subject.promised(one.roles, probe, on)
        return one._expected[on, case]

    def fits(self, on: Turns, case: int) -> bool:
        """Whether that is the candidate's answer to this case."""
        (_, got), found = self.evidence.cases[case], self.expected(on, case)
        return found is not None and near(got, found, self.subject.tolerance)

    def raises(self, on: Turns, probe: Probe) -> bool:
        """Whether these wrong turns explain that the candidate raised an error."""
        try:
            with torch.no_grad():
                self.subject.run(self.roles, *probe.args, on=on, **probe.kwargs)
        except (RuntimeError, IndexError):
            return True
        return False

    def fits_telling_numbers(self, on: Turns) -> bool:
        """Whether it also fits with the numbers with which its course tells more.

        True where there are none, or where it cannot be asked.
        """
        evidence = self.evidence
        try:
            values = self.subject.telling_numbers(self.places, evidence.values)
        except IMPOSSIBLE:
            return True
        if values is None:
            return True
        # Its tokens in several orders: logits of a few sentences may be alike by chance.
        given = evidence.probes[0].args
        args = [torch.cat([part.roll(k, 1) for k in range(_ORDERS)]) for part in given]
        try:
            got = evidence.run_with(values, *args).value
        except CandidateError:
            return True
        with torch.no_grad():
            expected = self.subject.run(evaluate(self.layout, values), *args, on=on)
        return isinstance(got, Tensor) and near(got, expected, READING)

    def gradients_agree(self, on: Turns = NONE) -> bool:
        """Whether gradients of inputs and parameters are those of the reference too."""
        if on not in self.agree:
            self.agree[on] = self._gradients_agree(on)
        return self.agree[on]

    def _gradients_agree(self, on: Turns) -> bool:
        registered = {p.name for p in self.evidence.module.parameters}
        for probe, answer in self.evidence.pairs:
            outcome = answer.outcome
            if answer.cotangent is None or not isinstance(outcome, Outcome):
                continue
            values = self.evidence.values.items()
            leaves = {name: value.detach().clone().requires_grad_() for name, value in values}
            args = [a.detach().clone().requires_grad_() if is_float(a) else a for a in probe.args]
            inputs = [a for a in args if is_float(a)]
            roles = evaluate(self.layout, leaves)
            expected = self.subject.run(roles, *args, on=on, **probe.kwargs)
            if not expected.requires_grad:
                continue
            found = gradients_of(expected, [*inputs, *leaves.values()], answer.cotangent)
            mine = [*outcome.grads, *((outcome.parameter_grads or {}).get(n) for n in leaves)]
            if len(mine) != len(found):
                return False
            most = most_apart(found, self.subject.tolerance)
            counts = [*(True for _ in inputs), *(name in registered for name in leaves)]
            pairs = itertools.compress(zip(mine, found, strict=True), counts)
            if not all(are_alike(*pair, most) for pair in pairs):
                return False
        return True


def most_apart(gradients: Iterable[Tensor | None], tolerance: float) -> float:
    """How far gradients may be from these."""
    known = (each for each in gradients if each is not None)
    sizes = (float(each.nan_to_num(0.0, 0.0, 0.0).abs().max()) for each in known)
    return 5 * tolerance * max(1.0, max(sizes, default=1.0))


def are_alike(got: Tensor | None, right: Tensor | None, most: float) -> bool:
    """Whether two gradients differ by no more than that; one that is missing is 0."""
    zero = torch.zeros(()) if right is None else torch.zeros_like(right)
    one, other = (zero if got is None else got), (zero if right is None else right)
    if one.shape != other.shape and one.numel() > 1 and other.numel() > 1:
        return False
    # As a mistake has it, nan agrees with nan and inf with inf; alone they do not.
    same = (one == other) | (one.isnan() & other.isnan())
    return float((one - other).abs().masked_fill(same, 0.0).max()) <= most
