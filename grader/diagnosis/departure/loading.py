"""Where code that loads tensors by name goes wrong: at which line a name leads astray."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import SimpleNamespace

from torch import Tensor

from ...candidate.candidate import Candidate, CandidateError, Problem
from ...candidate.seeds import generator_for
from ...worker.values import Config
from ..misconceptions import load_bert_weights as subject
from .exceptions import Raised, raised
from .names import Translation
from .recording import RecordedStatement, Recording, record

_MOST_RECORDED = 2  # each takes a while


@dataclass(frozen=True)
class Ran:
    """One state dict, and what came of it."""

    number: int
    case: subject.Case
    problem: Problem | None
    loaded: Mapping[str, Tensor] | None

    @property
    def is_refused(self) -> bool:
        """Whether the code itself has refused it, as far as that can be seen."""
        one = self.problem
        return one is not None and bool(one.frames) and one.frames[-1].source.startswith("raise ")


def is_loading(exercise: str) -> bool:
    """Whether an exercise's part is to load tensors by name."""
    return exercise == "load_bert_weights"


def _ran(candidate: Candidate, seed: int) -> list[Ran]:
    """What comes of each state dict; found out once."""
    if "ran" not in candidate.memory:
        found = []
        for number, case in enumerate(subject.cases(generator_for(seed, "loading", "diagnosis"))):
            candidate.stay_in_time()
            found.append(_run(candidate, number, case))
        candidate.memory["ran"] = found
    kept: list[Ran] = candidate.memory["ran"]
    return kept


def _run(candidate: Candidate, number: int, case: subject.Case) -> Ran:
    try:
        loaded = candidate.through(subject.FOLLOWED, Config(subject.SMALL), case.weights)
    except CandidateError as error:
        return Ran(number, case, error.problem, None)
    return Ran(number, case, None, loaded)


def _is_right(ran: Ran) -> bool:
    """Whether it is refused if it has to be, and every parameter has got a tensor if not."""
    if ran.case.is_bad or ran.problem is not None:
        return ran.case.is_bad and ran.problem is not None and ran.problem.type == "ValueError"
    left = [tensor for tensor in ran.case.weights.values()]
    return bool(ran.loaded) and all(
        any(own.equal(each) for each in left) for own in (ran.loaded or {}).values()
    )


def _recorded(candidate: Candidate, ran: Ran) -> Recording | None:
    key = f"recorded loading {ran.number}"
    if key not in candidate.memory:
        args = (Config(subject.SMALL), ran.case.weights)
        candidate.memory[key] = record(
            candidate, {"name": subject.FOLLOWED}, args, {}, is_wide=True
        )
    found: Recording | None = candidate.memory[key]
    return found


def load_exception(candidate: Candidate, seed: int) -> tuple[Raised, dict[str, int]] | None:
    """The line that raises where nothing is to be refused, or another error than is wanted."""
    for one in sorted(_ran(candidate, seed), key=lambda each: each.is_refused):
        if one.problem is None or (one.case.is_bad and one.problem.type == "ValueError"):
            continue
        mine = _recorded(candidate, one)
        found = None if mine is None else raised(mine)
        if found is not None:
            return found, {}
    return None


def load_recordings(candidate: Candidate, seed: int) -> list[Recording]:
    """What its lines do with the first state dicts with which it does wrong."""
    wrong = [one for one in _ran(candidate, seed) if not _is_right(one)]
    found = (_recorded(candidate, one) for one in wrong[:_MOST_RECORDED])
    return [each for each in found if each is not None]


def load_astray(candidate: Candidate, seed: int) -> RecordedStatement | None:
    """The line that leads a tensor's name astray; None where none does for certain."""
    ran = _ran(candidate, seed)
    wrong = next((one for one in ran if not _is_right(one) and not one.case.is_bad), None)
    if wrong is None or (wrong.problem is not None and not wrong.is_refused):
        return None
    mine = _recorded(candidate, wrong)
    if wrong.case.beside and mine is not None:
        return _incomplete(mine, wrong.case.beside)
    theirs = _theirs(candidate)
    if mine is None or not theirs:
        return None
    whole = next((one for one in ran if one.case.is_whole), wrong)
    more = _recorded(candidate, whole)
    numbered = {1000 + number: name for number, name in enumerate(theirs)}
    own = Translation(mine, theirs, numbered)
    given = Translation(mine, _given(wrong, theirs))
    into_own = given.changing and not own.changing and not wrong.case.is_renamed
    if into_own:
        given = Translation(mine, _given(wrong, theirs, into_own=True))
    beside = None if more is None else Translation(more, _given(whole, theirs))
    found = [None if into_own else own.astray(beside), given.astray(beside)]
    lines = {each.place: each for each in found if each is not None}
    return next(iter(lines.values())) if len(lines) == 1 else None


def _incomplete(mine: Recording, names: Collection[str]) -> RecordedStatement | None:
    """The one line that has some of these names and not all of them."""
    found = [
        (one, count)
        for one in mine.statements
        if (
            count := sum(f"{quote}{name}{quote}" in one.source for name in names for quote in "'\"")
        )
    ]
    return found[0][0] if len(found) == 1 and found[0][1] < len(names) else None


def _theirs(candidate: Candidate) -> dict[str, frozenset[str]]:
    """By the name that the model gives a parameter, that of the tensor which belongs there."""
    try:
        own = candidate.through(subject.NAMES, Config(subject.SMALL))
    except CandidateError:
        return {}
    right = subject.their_names(SimpleNamespace(**subject.SMALL))
    if not isinstance(own, list) or set(own) != set(right):
        return {}
    return {name: frozenset({right[name]}) for name in own}


def _given(
    ran: Ran, theirs: Mapping[str, frozenset[str]], into_own: bool = False
) -> dict[str, frozenset[str]]:
    """By the name in a state dict, what it has to become."""
    own = {each: name for name, names in theirs.items() for each in names}
    return {
        name: frozenset({own[usual]} if into_own else {usual, own[usual]})
        for name in ran.case.weights
        if (usual := subject.usual_name(name)) in own
    }


class LoadProspects:
    """Whether changed code may be right: by small state dicts, those first that show it wrong."""

    def __init__(self, candidate: Candidate, seed: int) -> None:
        self._candidate = candidate
        ran = _ran(candidate, seed)
        self._cases = [one.case for one in sorted(ran, key=_is_right)]
        wrong = next((one for one in ran if not _is_right(one)), None)
        self.wrong = None if wrong is None else _recorded(candidate, wrong)

    def are_there(self) -> bool:
        """Whether what is in the candidate's place now does right with each of them."""
        return all(_is_right(_run(self._candidate, 0, case)) for case in self._cases)
