"""One go at one exercise: its code loaded, its checks run; knows no submission beyond the slice."""

from dataclasses import dataclass

from ..candidate.candidate import Candidate, CandidateError, Problem
from ..candidate.message import Message, Place, joined, known, say
from ..candidate.records import Diagnosis, Mark, Verdict
from ..course.syllabus import Exercise
from ..submission import Broken, Slice
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
    diagnosis: tuple[Diagnosis, ...] = ()

    @property
    def passed(self) -> bool:
        """Every check passed (shortcuts aside)."""
        return bool(self.runs) and all(run.result.outcome == "passed" for run in self.runs)

    @property
    def essential_passed(self) -> bool:
        """The answers are right on ordinary inputs."""
        essential = [run for run in self.runs if run.essential]
        return bool(essential) and all(run.result.outcome == "passed" for run in essential)

    @property
    def unfinished(self) -> Problem | None:
        """The NotImplementedError that stopped an essential check, where one did."""
        for problem in self.problems:
            if problem.kind == "not_implemented":
                return problem
        return None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What learner code raised, in the order of the checks."""
        found = [self.unloaded] if self.unloaded else []
        errors = (run.error for run in self.runs)
        return (*found, *(e.problem for e in errors if isinstance(e, CandidateError)))


def attempt(checks: CheckSession, cut: Slice, candidate: Candidate, seed: int) -> Attempt:
    """Load a slice where the candidate lives and run the checks of its exercise.

    Raises ZygoteDied, which ends every worker.
    """
    units = [{"code": unit.code, "label": unit.label, "line": unit.line} for unit in cut.units]
    try:
        loaded = candidate.request(
            "load", exercise=cut.exercise, units=units, harness=candidate.harness
        )
    except CandidateError as error:
        return Attempt(unloaded=error.problem)
    except WorkerDied as died:
        return Attempt(ended=died)
    tried = _checked(checks, candidate, seed)
    for left_out in map(Problem.from_value, loaded["left_out"]):
        if not tried.passed and any(problem.type in _LACKS for problem in tried.problems):
            return Attempt(unloaded=candidate.error(left_out).problem)
    return tried


def attempt_in_run(checks: CheckSession, candidate: Candidate, seed: int) -> Attempt:
    """Run the checks on what a whole notebook, run before, has made of the exercise."""
    try:
        candidate.request("take", exercise=candidate.exercise, harness=candidate.harness)
    except CandidateError as error:
        return Attempt(unloaded=error.problem)
    except WorkerDied as died:
        return Attempt(ended=died)
    return _checked(checks, candidate, seed)


def _checked(checks: CheckSession, candidate: Candidate, seed: int) -> Attempt:
    runs = checks.run(candidate.exercise, candidate, seed)
    for run in runs:
        if isinstance(run.error, ZygoteDied):  # no mark may come of what is not the code's doing
            raise run.error
    ended = next((run.error for run in runs if isinstance(run.error, WorkerDied)), None)
    return Attempt(runs=runs, ended=ended, operators=tuple(candidate.operators))


def unusable(exercise: Exercise, cut: Slice | None) -> Mark | None:
    """The mark of an exercise that there is no code to run for; None where there is."""
    name = known(exercise.name)
    if cut is None:
        return _empty(exercise, Verdict.MISSING, say("{} is defined nowhere.", name))
    where = joined("; ", map(_place, cut.broken))
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
        "{} was not run: running and judging the exercises before it had used up the {:g} seconds "
        "that one submission may take. Fix the slowest first.",
        known(exercise.name),
        seconds,
    )
    return _empty(exercise, Verdict.TIMEOUT, message)


def _place(broken: Broken) -> Message:
    return say("{}: {}", Place(broken.label, broken.line), broken.message)


def _empty(exercise: Exercise, verdict: Verdict, message: Message) -> Mark:
    return Mark(exercise.name, exercise.chapter, verdict, 0.0, exercise.points, message=message)
