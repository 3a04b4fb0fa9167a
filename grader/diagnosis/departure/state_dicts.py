"""Runs code that loads tensors by name on small state dicts, and says where it goes wrong."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError, Problem
from ...candidate.message import Message, say
from ...candidate.seeds import generator_for
from ...worker.values import Config
from ..misconceptions import load_bert_weights as subject
from ..sameness import same_value
from .departed import Departed, spoiling
from .exceptions import Raised, raised
from .name_translation import Translation
from .recording import RecordedStatement, Recording, record

_MOST_RECORDED = 2  # each takes a while
_ASTRAY = say(
    "With this line, a tensor's name does not become the one that belongs to it. Follow one name "
    "through your code, up to here."
)
_SOME = say(
    "Of the tensors that may be ignored, this line has only some, or not as they are spelt."
)
Names = Mapping[str, str]  # of the model's parameters, with those that their tensors have


def is_loading(exercise: str) -> bool:
    """Whether an exercise's part is to load tensors by name."""
    return exercise == "load_bert_weights"


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


def load_astray(candidate: Candidate, seed: int) -> tuple[RecordedStatement, Message] | None:
    """The line that leads a tensor's name astray, and why; None where none does for certain."""
    ran = _ran(candidate, seed)
    wrong = next((one for one in ran if not one.is_right and not one.case.is_bad), None)
    names = _names(candidate)
    if wrong is None or (wrong.problem is not None and not wrong.is_refused):
        return None
    mine = _recorded(candidate, wrong.case)
    if mine is None or not names:
        return None
    if wrong.case.beside:
        some = _incomplete(mine, wrong.case.beside)
        return None if some is None else (some, _SOME)
    whole = next((one.case for one in ran if one.case.is_whole), wrong.case)
    more = _recorded(candidate, whole)
    numbered = {float(subject.FIRST_NUMBER + number): name for number, name in enumerate(names)}
    own = Translation(mine, {name: frozenset({usual}) for name, usual in names.items()}, numbered)
    given = Translation(mine, _given(wrong.case, names))
    into_own = bool(given.changing) and not own.changing and not wrong.case.is_renamed
    if into_own:
        given = Translation(mine, _given(wrong.case, names, into_own=True))
    beside = None if more is None else Translation(more, _given(whole, names))
    found = [None if into_own else own.astray(beside), given.astray(beside)]
    lines = {each.place: each for each in found if each is not None}
    return (next(iter(lines.values())), _ASTRAY) if len(lines) == 1 else None


def load_departures(candidate: Candidate, seed: int) -> Sequence[Departed | None]:
    """The line that takes over what does not fit, or that changes the state dict itself."""
    ran = _ran(candidate, seed)
    accepted = next((one for one in ran if one.case.is_bad and one.problem is None), None)
    if accepted is not None:
        mine = _recorded(candidate, accepted.case)
        last = None if mine is None else _last(mine)
        return [] if mine is None or last is None else [Departed(mine, last, None, "accepted")]
    for one in ran:
        if not one.case.is_bad and one.is_right and (one.case.beside or one.case.is_whole):
            mine = _recorded(candidate, one.case)
            if mine is not None and (found := spoiling(mine)):
                return [found]
    return []


def _last(mine: Recording) -> int | None:
    """The last line of the function itself that does something, and not only gives back."""
    for index in reversed(range(len(mine.events))):
        event = mine.events[index]
        statement = mine.statements[event.statement]
        is_own = event.kind == "line" and not event.caller and not statement.body
        if is_own and statement.source and not statement.source.startswith("return"):
            return index
    return None


class LoadProspects:
    """Whether changed code may be right: by small state dicts, those first that show it wrong."""

    def __init__(self, candidate: Candidate, seed: int) -> None:
        self._candidate = candidate
        self._names = _names(candidate)
        ran = sorted(_ran(candidate, seed), key=lambda each: each.is_right)
        self._cases = [one.case for one in ran]
        self.wrong = None if ran[0].is_right else _recorded(candidate, ran[0].case)

    def are_there(self) -> bool:
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
    return candidate.once(
        "recorded", lambda: record(candidate, target, args, {}, is_wide=True), case
    )


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
    return [name for name, one in subject.marks().items() if same_value(mark, one, 1e-4, 1.0)]


def _given(
    case: subject.StateDictCase, names: Names, into_own: bool = False
) -> dict[str, frozenset[str]]:
    """By the name in a state dict, what it has to become."""
    own = {usual: name for name, usual in names.items()}
    return {
        name: frozenset({own[usual]} if into_own else {usual, own[usual]})
        for name in case.weights
        if (usual := subject.usual_name(name)) in own
    }


def _incomplete(mine: Recording, names: Collection[str]) -> RecordedStatement | None:
    """The one line that has some of these names and not all of them."""
    found: dict[int, int] = {}
    for number, one in enumerate(mine.statements):
        count = sum(f"'{n}'" in one.source or f'"{n}"' in one.source for n in names)
        if count:
            found[number] = count
    number, count = next(iter(found.items()), (0, 0))
    return mine.statements[number] if len(found) == 1 and count < len(names) else None
