"""One way to read a module's parameters as the reference's, and what the reference answers then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from .held import Values, evaluate
from .module_subject import ModuleSubject, Numbers
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
            values = self.evidence.values
            right = right_gradients(self.subject, self.layout, values, probe, answer.cotangent, on)
            given = outcome.parameter_grads or {}
            own = {name: given.get(name) for name in values if name in registered}
            if right is not None and not right.agree(outcome.grads, own):
                return False
        return True


@dataclass(frozen=True)
class RightGradients:
    """The reference's, of inputs and of what has the numbers of a layout, by its name."""

    of_inputs: tuple[Tensor | None, ...]
    by_name: dict[str, Tensor | None]
    tolerance: float

    def agree(
        self, of_inputs: Sequence[Tensor | None], by_name: Mapping[str, Tensor | None]
    ) -> bool:
        """Whether all of these inputs', and those of these names, are the same up to rounding."""
        if len(of_inputs) != len(self.of_inputs):
            return False
        every = (*self.of_inputs, *self.by_name.values())
        sizes = (float(g.nan_to_num(0.0, 0.0, 0.0).abs().max()) for g in every if g is not None)
        most = 5 * self.tolerance * max(1.0, max(sizes, default=1.0))
        pairs = [*zip(of_inputs, self.of_inputs, strict=True)]
        pairs += [(got, self.by_name[name]) for name, got in by_name.items()]
        return all(_are_alike(*pair, most) for pair in pairs)


def right_gradients(
    subject: ModuleSubject,
    layout: Numbers,
    values: Values,
    probe: Probe,
    cotangent: Tensor,
    on: Turns = NONE,
) -> RightGradients | None:
    """Those of the reference with these values in a layout; None where none flow."""
    leaves = {name: value.detach().clone().requires_grad_() for name, value in values.items()}
    args = [a.detach().clone().requires_grad_() if is_float(a) else a for a in probe.args]
    inputs = [a for a in args if is_float(a)]
    expected = subject.run(evaluate(layout, leaves), *args, on=on, **probe.kwargs)
    if not expected.requires_grad:
        return None
    found = gradients_of(expected, [*inputs, *leaves.values()], cotangent)
    by_name = dict(zip(leaves, found[len(inputs) :], strict=True))
    return RightGradients(found[: len(inputs)], by_name, subject.tolerance)


def _are_alike(got: Tensor | None, right: Tensor | None, most: float) -> bool:
    """Whether two gradients differ by no more than that; one that is missing is 0."""
    zero = torch.zeros(()) if right is None else torch.zeros_like(right)
    one, other = (zero if got is None else got), (zero if right is None else right)
    if one.shape != other.shape and one.numel() > 1 and other.numel() > 1:
        return False
    # As a mistake has it, nan agrees with nan and inf with inf; alone they do not.
    same = (one == other) | (one.isnan() & other.isnan())
    return float((one - other).abs().masked_fill(same, 0.0).max()) <= most
