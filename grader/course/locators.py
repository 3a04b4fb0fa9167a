"""Runs code that loads tensors by name on small state dicts, and says where it goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ..candidate.candidate import Candidate
from ..candidate.failures import CandidateError, Problem
from ..candidate.seeds import generator_for
from ..diagnosis.locating.exceptions import Raised, raised
from ..diagnosis.locating.functions import Locator
from ..diagnosis.locating.recording import Recording, record
from ..diagnosis.sameness import same_value
from ..diagnosis.tolerances import MODULE
from ..worker.values import Config
from .misconceptions import load_bert_weights as subject

_MOST_RECORDED = 2  # each takes a while
Names = Mapping[str, str]  # of the model's parameters, with those that their tensors have


@dataclass(frozen=True)
class Ran:
    """One state dict, and what came of it."""

    case: subject.StateDictCase
    problem: Problem | None
    loaded: Mapping[str, Tensor]
    is_right: bool

    @property
    def is_refused(self) -> bool:
        """Whether the code itself has refused it, as far as that can be seen."""
        one = self.problem
        return one is not None and bool(one.frames) and one.frames[-1].source.startswith("raise ")


def load_exception(candidate: Candidate, seed: int) -> tuple[Raised, dict[str, int]] | None:
    """The line that raises where nothing is to be refused, or another error than is wanted."""
    for one in sorted(_ran(candidate, seed), key=lambda each: each.is_refused):
        if one.problem is None or one.is_right:
            continue
        mine = _recorded(candidate, one.case)
        found = None if mine is None else raised(mine)
        if found is not None:
            return found, {}
    return None


def load_recordings(candidate: Candidate, seed: int) -> list[Recording]:
    """What its lines do with the first state dicts with which it does wrong."""
    wrong = [one for one in _ran(candidate, seed) if not one.is_right]
    found = (_recorded(candidate, one.case) for one in wrong[:_MOST_RECORDED])
    return [each for each in found if each is not None]


class LoadFilter:
    """Whether changed code may be right: by small state dicts, those first that show it wrong."""

    def __init__(self, candidate: Candidate, seed: int) -> None:
        self._candidate = candidate
        self._names = _names(candidate)
        ran = sorted(_ran(candidate, seed), key=lambda each: each.is_right)
        self._cases = [one.case for one in ran]
        self.wrong = None if ran[0].is_right else _recorded(candidate, ran[0].case)

    def may_pass(self) -> bool:
        """Whether what is in the candidate's place now does right with each of them."""
        return all(_run(self._candidate, case, self._names).is_right for case in self._cases)


def _ran(candidate: Candidate, seed: int) -> list[Ran]:
    """What comes of each state dict; found out once."""

    def tried() -> list[Ran]:
        names = _names(candidate)
        cases = subject.cases(generator_for(seed, candidate.exercise, "departure"))
        return [_run(candidate, case, names) for case in cases]

    return candidate.once("ran", tried)


def _run(candidate: Candidate, case: subject.StateDictCase, names: Names) -> Ran:
    candidate.stay_in_time()
    problem, loaded = None, {}
    try:
        loaded = candidate.through(subject.FOLLOWED, Config(subject.SMALL), case.weights)
    except CandidateError as error:
        problem = error.problem
    if case.is_bad:
        is_right = problem is not None and problem.type == "ValueError"
        unsaid = () if problem is None else (n for n in case.told if n not in problem.message)
        return Ran(case, problem, {}, is_right and not any(unsaid))
    is_right = isinstance(loaded, dict) and bool(loaded) and _are_right(loaded, case, names)
    return Ran(case, problem, loaded, is_right)


def _are_right(loaded: Mapping[str, Tensor], case: subject.StateDictCase, names: Names) -> bool:
    """Whether every parameter has got its tensor; where names are not known, any at all."""
    usual = {subject.usual_name(name): tensor for name, tensor in case.weights.items()}
    return all(
        any(
            isinstance(value, Tensor) and value.equal(tensor)
            for tensor in ([usual[names[name]]] if name in names else usual.values())
        )
        for name, value in loaded.items()
    )


def _recorded(candidate: Candidate, case: subject.StateDictCase) -> Recording | None:
    """What its lines do with a state dict; recorded once."""
    target, args = {"name": subject.FOLLOWED}, (Config(subject.SMALL), case.weights)
    return candidate.once("recorded", lambda: record(candidate, target, args, {}), case)


def _names(candidate: Candidate) -> Names:
    """Those of the model that it loads into, by what each parameter does; none if one is odd."""

    def asked() -> Names:
        try:
            own = candidate.through(subject.MARKS, Config(subject.SMALL), *subject.marking())
        except CandidateError:
            own = {}
        found = {name: _alike(mark) for name, mark in own.items()} if type(own) is dict else {}
        usual = [names[0] for names in found.values() if len(names) == 1]
        is_whole = len(set(usual)) == len(found) == len(subject.marks())
        return dict(zip(found, usual, strict=True)) if is_whole else {}

    return candidate.once("names", asked)


def _alike(mark: Any) -> list[str]:
    """The names of the tensors that make the same of BERT."""
    return [name for name, one in subject.marks().items() if same_value(mark, one, MODULE)]


LOCATORS = {"load_bert_weights": Locator(load_exception, load_recordings, LoadFilter)}
