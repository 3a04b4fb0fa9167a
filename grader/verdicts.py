"""Turns what an attempt showed into a mark; runs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from .attempt import Attempt
from .candidate import Problem
from .records import CheckOutcome, CheckResult, Mark, Verdict
from .shortcuts import Shortcut, by_operators
from .syllabus import Exercise

_DEATHS = {
    "timeout": (Verdict.TIMEOUT, "The code did not come to an end in time"),
    "memory": (Verdict.CRASHED, "The code wanted more memory than there is"),
    "crashed": (Verdict.CRASHED, "The code ended its process"),
    "protocol": (Verdict.CRASHED, "The code interfered with the process that it ran in"),
}


def judge(exercise: Exercise, tried: Attempt, shortcuts: Sequence[Shortcut]) -> Mark:
    """Verdict and points of one attempt."""
    taken = tuple(shortcuts) or by_operators(tried.operators, exercise.forbidden)
    verdict, message = _verdict(exercise, tried)
    checks = tuple(run.result for run in tried.runs)
    points = _points(exercise, tried, verdict)
    if taken:
        check = _shortcut_check(exercise, taken)
        checks = (check, *checks)
        points = 0.0
        if verdict in (Verdict.PASSED, Verdict.PARTIAL):
            verdict = Verdict.FAILED
        message = message or check.message
    return Mark(
        exercise.name, exercise.chapter, verdict, points, exercise.points, checks, message=message
    )


def fails_elsewhere(lent: Mark, own: Mark) -> bool:
    """Whether code that ran beside what was lent raises in a check where by itself it does not.

    A helper of an earlier exercise's name may take other arguments than the exercise does.
    """
    raised = {check.title for check in own.checks if check.outcome is CheckOutcome.ERROR}
    return any(
        check.outcome is CheckOutcome.ERROR and check.title not in raised for check in lent.checks
    )


def _verdict(exercise: Exercise, tried: Attempt) -> tuple[Verdict, str]:
    if tried.ended is not None:
        verdict, told = _DEATHS.get(tried.ended.kind, _DEATHS["crashed"])
        return verdict, f"{told}: {tried.ended.detail}."
    if tried.unfinished is not None:
        return _unfinished(exercise, tried.unfinished)
    if tried.unloaded is not None:
        told = f"{exercise.name} could not be loaded: {tried.unloaded}"
        return _raised(tried.unloaded), told
    if tried.passed:
        return Verdict.PASSED, ""
    if tried.essential_passed:
        return Verdict.PARTIAL, ""
    problems = tried.problems
    essential = [run for run in tried.runs if run.essential]
    if problems and all(run.result.outcome != CheckOutcome.PASSED for run in essential):
        first = problems[0]
        if essential and essential[0].result.outcome == CheckOutcome.ERROR:
            return _raised(first), f"{exercise.name} raised {first}"
    return Verdict.FAILED, ""


def _raised(problem: Problem) -> Verdict:
    if problem.kind == "memory" or problem.type == "RecursionError":
        return Verdict.CRASHED
    return Verdict.FAILED if problem.kind == "exited" else Verdict.ERROR


def _unfinished(exercise: Exercise, problem: Problem) -> tuple[Verdict, str]:
    """A NotImplementedError: of the exercise itself, or of an earlier one that it calls."""
    last = problem.frames[-1].function if problem.frames else exercise.name
    named = next((used for used in exercise.uses if used == last), None)
    place = f"{problem.frames[-1].label}, line {problem.frames[-1].line}" if problem.frames else ""
    if named is not None:
        told = f"It waits on {named}, which is still a stub ({place})."
        return Verdict.BLOCKED, told
    return Verdict.NOT_STARTED, f"{exercise.name} still raises NotImplementedError ({place})."


def _points(exercise: Exercise, tried: Attempt, verdict: Verdict) -> float:
    if verdict is Verdict.PASSED:
        return exercise.points
    if verdict is not Verdict.PARTIAL:
        return 0.0
    total = sum(run.result.weight for run in tried.runs)
    won = sum(run.result.weight for run in tried.runs if run.result.outcome == "passed")
    return round(exercise.points * won / total, 2)


def _shortcut_check(exercise: Exercise, taken: Sequence[Shortcut]) -> CheckResult:
    told = ", ".join(dict.fromkeys(_told(shortcut) for shortcut in taken))
    message = (
        f"{exercise.name} is the piece that you build here, and the code leaves it to {told}. It "
        "earns no points that way, right or wrong; PyTorch's smaller pieces are free to use."
    )
    title = "It is built by hand, not called ready-made."
    return CheckResult(title, CheckOutcome.FAILED, message)


def _told(shortcut: Shortcut) -> str:
    if shortcut.line is None:
        return f"{shortcut.name} (seen while it ran)"
    return f"{shortcut.name} ({shortcut.label}, line {shortcut.line})"
