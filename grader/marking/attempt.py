"""One go at one exercise: its code loaded, its checks run; knows no submission beyond the slice."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..candidate.candidate import Candidate
from ..candidate.failures import CandidateError, Problem
from ..candidate.message import Message, Place, joined, known, say
from ..candidate.records import Mark, Verdict
from ..curriculum.syllabus import Exercise
from ..submission import NearName, Slice
from ..wall.transport import WorkerDied
from ..wall.zygote_client import ZygoteDied
from .check_session import CheckRun, CheckSession

# What is raised where a statement that was left out would have made something.
_LACKS = ("NameError", "AttributeError", "KeyError")


@dataclass(frozen=True)
class Attempt:
    """What came of loading and checking."""

    runs: tuple[CheckRun, ...] = ()
    unloaded: Problem | None = None  # the code could not even be executed
    ended: WorkerDied | None = None  # the worker died, and why
    operators: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Every check passed (shortcuts aside)."""
        return bool(self.runs) and all(run.passed for run in self.runs)

    @property
    def essential_passed(self) -> bool:
        """The answers are right on ordinary inputs."""
        essential = [run for run in self.runs if run.essential]
        return bool(essential) and all(run.passed for run in essential)

    @property
    def unfinished(self) -> Problem | None:
        """The NotImplementedError that stopped an essential check, where one did."""
        essential = self._problems(run for run in self.runs if run.essential)
        return next((p for p in essential if p.kind == "not_implemented"), None)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What learner code raised, in the order of the checks."""
        return self._problems(self.runs)

    def _problems(self, runs: Iterable[CheckRun]) -> tuple[Problem, ...]:
        found = [self.unloaded] if self.unloaded else []
        errors = (run.error for run in runs)
        return (*found, *(e.problem for e in errors if isinstance(e, CandidateError)))


def load(cut: Slice | None, candidate: Candidate) -> list[Any]:
    """Load a slice where the candidate lives; what was left out of it.

    Without a slice: what a whole notebook, run there before, has made of the exercise.
    """
    named = {"exercise": candidate.exercise, "harness": candidate.harness}
    if cut is None:
        candidate.heard = tuple(candidate.request("take", **named)["heard"])
        return []
    units = [dict(vars(unit)) for unit in cut.units]
    left_out: list[Any] = candidate.request("load", units=units, **named)["left_out"]
    return left_out


def attempt(checks: CheckSession, cut: Slice | None, candidate: Candidate, seed: int) -> Attempt:
    """Load a slice as `load` does and run the checks of its exercise.

    Raises ZygoteDied, which ends every worker.
    """
    try:
        left_out = load(cut, candidate)
    except CandidateError as error:
        return Attempt(unloaded=error.problem)
    except WorkerDied as died:
        return Attempt(ended=died)
    with candidate.attempted():
        tried = checked(checks, candidate, seed)
    if left_out and not tried.passed and any(each.type in _LACKS for each in tried.problems):
        return Attempt(unloaded=candidate.error(Problem.from_value(left_out[0])).problem)
    return tried


def checked(checks: CheckSession, candidate: Candidate, seed: int) -> Attempt:
    """Run the checks on what is loaded; raises ZygoteDied."""
    runs = checks.run(candidate.exercise, candidate, seed)
    for run in runs:
        if isinstance(run.error, ZygoteDied):  # no mark may come of what is not the code's doing
            raise run.error
    ended = next((run.error for run in runs if isinstance(run.error, WorkerDied)), None)
    return Attempt(runs=runs, ended=ended, operators=tuple(candidate.operators))


def unusable(exercise: Exercise, cut: Slice | None, near: NearName | None = None) -> Mark | None:
    """The mark of an exercise that there is no code to run for; None where there is.

    `near` is what stands there under nearly its name.
    """
    name = known(exercise.name)
    if near is not None and (cut is None or cut.is_stub):
        message = say(
            "{} is not written yet, but {} defines {}. Did you mean {}?",
            name,
            Place(near.label, near.line),
            near.name,
            name,
        )
        return _empty(exercise, Verdict.ERROR, message)
    if cut is None:
        return _empty(exercise, Verdict.MISSING, say("{} is defined nowhere.", name))
    where = joined("; ", (say("{}: {}", Place(b.label, b.line), b.message) for b in cut.broken))
    if not cut.units:
        return _empty(exercise, Verdict.ERROR, say("{} could not be read: {}", name, where))
    if cut.is_stub:
        message = say("{} is still the stub.", name)
        if cut.broken:
            message = say("{} A cell that defines it does not parse: {}", message, where)
            return _empty(exercise, Verdict.ERROR, message)
        return _empty(exercise, Verdict.NOT_STARTED, message)
    return None


def out_of_time(exercise: Exercise, seconds: float) -> Mark:
    """The mark of an exercise whose submission had used up its time before."""
    message = say(
        "{} was not run: reading, and running and judging the exercises before it, had used up the "
        "{:g} seconds that one submission may take. Fix the slowest first.",
        known(exercise.name),
        seconds,
    )
    return _empty(exercise, Verdict.TIMEOUT, message)


def _empty(exercise: Exercise, verdict: Verdict, message: Message) -> Mark:
    return Mark(exercise.name, exercise.chapter, verdict, 0.0, exercise.points, message=message)
