"""Turns what an attempt showed into a mark; runs nothing."""

from collections.abc import Sequence
from dataclasses import replace

from ..candidate.failures import CandidateError, Problem
from ..candidate.message import Choice, Line, Message, Place, aside, joined, known, say
from ..candidate.records import SHORTCUT_TITLE, CheckOutcome, CheckResult, Location, Mark, Verdict
from ..curriculum.syllabus import Exercise
from ..submission.shortcuts import Shortcut, by_operators
from ..wall.transport import WorkerDied
from ..worker.heard_packages import OUT_OF_REACH
from .attempt import Attempt
from .check_session import CheckRun
from .endings import ending
from .gate import Gate

_NO_END = known(
    "Here it was when its time was over. Does what it repeats ever come to an end, and is any of "
    "it done more often than it has to be?"
)
_DEATHS = {
    "timeout": (Verdict.TIMEOUT, say("The code did not come to an end in time")),
    "memory": (Verdict.CRASHED, say("The code wanted more memory than there is")),
    "crashed": (Verdict.CRASHED, say("The code ended its process")),
    "protocol": (Verdict.CRASHED, say("The code interfered with the process that it ran in")),
}


def judge(exercise: Exercise, tried: Attempt, shortcuts: Sequence[Shortcut]) -> Mark:
    """Verdict and points of one attempt."""
    taken = tuple(shortcuts) or by_operators(tried.operators, exercise.forbidden)
    verdict, message = _verdict(exercise, tried)
    checks = tuple(run.result for run in tried.runs)
    points = _points(exercise, tried, verdict)
    if taken:
        among = len(exercise.forbidden) + len(OUT_OF_REACH)
        why = say(
            "{} is the piece that you build here, and the code leaves it to {}. It earns no points "
            "that way, right or wrong; PyTorch's smaller pieces are free to use.",
            known(exercise.name),
            joined(", ", dict.fromkeys(_named(each, among) for each in taken)),
        )
        checks = (CheckResult(SHORTCUT_TITLE, CheckOutcome.FAILED, why), *checks)
        points = 0.0
        if verdict in (Verdict.PASSED, Verdict.PARTIAL):
            verdict = Verdict.FAILED
        message = message or why
    found = None if tried.ended is None else _out_of_time(tried.ended)
    name, chapter, most = exercise.name, exercise.chapter, exercise.points
    return Mark(name, chapter, verdict, points, most, checks, message=message, location=found)


def _out_of_time(ended: WorkerDied) -> Location | None:
    """The line at which code was when its time was over."""
    if ended.at is None:
        return None
    label, number, source = ended.at
    line = Line(label, number)
    message = say("Line {}: {}\n{}", line, line.quote(source), _NO_END)
    return Location("raised", label, number, source, message)


def fails_elsewhere(lent: Attempt, own: Attempt) -> bool:
    """Whether code that ran beside what was lent raises in a check where by itself it does not.

    A helper of an earlier exercise's name may take other arguments than the exercise does. Of code
    that was ended by itself, nothing is known.
    """
    return not _checks_that_raise(lent) <= (set() if own.ended else _checks_that_raise(own))


def _checks_that_raise(tried: Attempt) -> set[str]:
    return {run.check for run in tried.runs if run.result.outcome is CheckOutcome.ERROR}


def in_own_words(beside: Attempt, own: Attempt, gate: Gate, own_gate: Gate) -> Attempt:
    """What was said of the code alone, wherever the same was said of it `beside` a reference.

    That has passed the gate of its own attempt. All else still has to pass that of the other.
    """
    runs = {run.check: run for run in own.runs}

    def worded(beside: CheckRun) -> CheckRun:
        run = runs.get(beside.check, beside)
        if isinstance(run.error, CandidateError) and isinstance(beside.error, CandidateError):
            is_same = gate.problem(run.error.problem) == beside.error.problem
        else:
            is_same = run.result == beside.result
        return replace(beside, result=own_gate.result(run.result)) if is_same else beside

    return replace(beside, runs=tuple(map(worded, beside.runs)))


def _verdict(exercise: Exercise, tried: Attempt) -> tuple[Verdict, Message]:
    name, nothing = known(exercise.name), known("")
    if tried.ended is not None:
        verdict, message = _DEATHS.get(tried.ended.kind, _DEATHS["crashed"])
        return verdict, say("{}{}.", message, aside(": {}{}{}", *ending(tried.ended)))
    if tried.unfinished is not None:
        return _unfinished(exercise, tried.unfinished)
    if tried.unloaded is not None:
        message = say("{} could not be loaded: {}", name, tried.unloaded.summary())
        return _verdict_of(tried.unloaded), message
    if tried.passed:
        return Verdict.PASSED, nothing
    if tried.essential_passed:
        return Verdict.PARTIAL, nothing
    essential = [run for run in tried.runs if run.essential]
    raises = bool(essential) and essential[0].result.outcome is CheckOutcome.ERROR
    if not tried.problems or not raises or any(run.passed for run in essential):
        return Verdict.FAILED, nothing
    first = tried.problems[0]
    message = first.summary()
    if first.kind == "exited":
        ends = say("{} ends the whole program instead of giving an answer back.", name)
        return _verdict_of(first), say("{} {}", ends, message, kind=message.kind)
    return _verdict_of(first), say("{} raised {}", name, message, kind=message.kind)


def _verdict_of(problem: Problem) -> Verdict:
    """What an exception alone comes to."""
    if problem.kind == "memory" or problem.type == "RecursionError":
        return Verdict.CRASHED
    return Verdict.FAILED if problem.kind == "exited" else Verdict.ERROR


def _unfinished(exercise: Exercise, problem: Problem) -> tuple[Verdict, Message]:
    """A NotImplementedError: of the exercise itself, or of an earlier one that it calls."""
    last = problem.frames[-1].function if problem.frames else exercise.name
    named = next((used for used in exercise.uses if used == last), None)
    place = problem.place or known("")
    if named is not None:
        waits = Choice(named, len(exercise.uses))
        message = say("It waits on {}, which is still a stub ({}).", waits, place)
        return Verdict.BLOCKED, message
    message = say("{} still raises NotImplementedError ({}).", known(exercise.name), place)
    return Verdict.NOT_STARTED, message


def _points(exercise: Exercise, tried: Attempt, verdict: Verdict) -> float:
    if verdict is Verdict.PASSED:
        return exercise.points
    if verdict is not Verdict.PARTIAL:
        return 0.0
    total = sum(run.result.weight for run in tried.runs)
    won = sum(run.result.weight for run in tried.runs if run.passed)
    return round(exercise.points * won / total, 2)


def _named(shortcut: Shortcut, among: int) -> Message:
    if shortcut.line is None:
        return say("{} (seen while it ran)", Choice(shortcut.name, among))
    return say("{} ({})", known(shortcut.name), Place(shortcut.label, shortcut.line))
