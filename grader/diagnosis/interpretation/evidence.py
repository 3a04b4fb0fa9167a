"""What a candidate's module did when it was asked; judges nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from torch import Tensor

from ...candidate.candidate import Outcome
from ...candidate.candidate_module import CandidateModule
from ...candidate.failures import CandidateError, Problem
from ..misconceptions.function_subject import Probe
from .held import Part, Values
from .module_subject import ModuleSubject

T = TypeVar("T")


class TooLarge(CandidateError):
    """A module holds far more than its config asks for."""

    def __init__(self, module: CandidateModule) -> None:
        message = "it holds far more parameters than its config asks for"
        super().__init__(Problem("memory", "TooManyParameters", message, "construct"))
        self.module = module


@dataclass(frozen=True)
class Param:
    """One parameter: its name, its shape without axes of size 1, and whether it does anything."""

    name: str
    shape: tuple[int, ...]
    unused: bool = False  # no result of the module depends on it


@dataclass(frozen=True)
class Answer:
    """What one probe gave; `steady` is false where asking twice gave two answers."""

    outcome: Outcome | Problem
    cotangent: Tensor | None = None
    steady: bool = True
    backward: Problem | None = None  # why gradients could not be had

    @property
    def value(self) -> Tensor | None:
        """The tensor that came back, if one did."""
        found = self.outcome.value if isinstance(self.outcome, Outcome) else None
        return found if isinstance(found, Tensor) else None


@dataclass
class Evidence:
    """What one candidate did: its parameters, the values they were given, and its answers.

    With something replaced, it is evidence of its own, in which nothing was looked for yet.
    """

    subject: ModuleSubject
    module: CandidateModule
    fresh: Values
    params: list[Param]
    values: dict[str, Tensor]
    probes: tuple[Probe, ...]
    answers: list[Answer]
    single: tuple[Probe, Answer] | None
    parts: list[Part]
    held: list[Part]  # its parameters, in the order in which they are registered
    are_shown: bool = False  # the parts are what inputs meet, and no list of parameters
    written: Evidence | None = None  # of the module as it is written, where it is read otherwise
    _made: dict[object, Any] = field(default_factory=dict, init=False)

    def once(self, what: object, make: Callable[[], T]) -> T:
        """What `make` gives, made once: several checks and the diagnosis ask for the same."""
        if what not in self._made:
            self._made[what] = make()
        made: T = self._made[what]
        return made

    @cached_property
    def cases(self) -> list[tuple[Probe, Tensor]]:
        """What is compared: the single token, then what was answered, few arguments first.

        Of masks, first those for every query: they show more.
        """
        found = sorted(self.pairs, key=lambda p: (len(p[0].args), 1 in p[0].args[-1].shape[1:2]))
        found[:0] = [self.single] if self.single else []
        return [(p, self.subject.focused(a.value, p)) for p, a in found if a.value is not None]

    @property
    def outcomes(self) -> list[Outcome | Problem]:
        """What each probe gave."""
        return [answer.outcome for answer in self.answers]

    @property
    def pairs(self) -> list[tuple[Probe, Answer]]:
        """Each probe with its answer."""
        return list(zip(self.probes, self.answers, strict=True))

    def run_with(self, values: Values, *args: Any, **how: Any) -> Outcome:
        """Run the module with these numbers in its parameters, and put its own back."""
        module = self.module
        outcome: Outcome
        _, outcome, _ = module.all_of(
            module.writing(values), module.running(*args, **how), module.writing(self.values)
        )
        return outcome

    @property
    def is_steady(self) -> bool:
        """Whether the same question twice has the same answer."""
        return all(answer.steady for answer in self.answers)

    @property
    def problem(self) -> Problem | None:
        """The first exception, where there was one."""
        return next((o for o in self.outcomes if isinstance(o, Problem)), None)
