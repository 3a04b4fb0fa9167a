"""Keeps lent reference code out of what is said of the code that ran beside it; runs nothing.

Learner code can read what is lent to its worker and put it into any text that comes back: the words
of an exception, the name of its type, the source of a frame, a string that a check quotes.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .attempt import Attempt
from .candidate import CandidateError, Frame, Problem
from .plain_errors import is_usual
from .records import CheckResult, Mark
from .submission import Unit

_UNKNOWN = "an exception"
_BUILTIN = {*dir(builtins), "Tensor"}
# From the first opening quote on, or from where names follow that the code gave: where they end
# is for who wrote it to choose.
_QUOTED = re.compile(
    r"(?<!\w)['\"].*|(?<=an object of type ).*|(?<=does not find ).*|(?<=at all reaches ).*"
    r"|(?<=no effect on them: ).*",
    re.DOTALL,
)


# The inputs, with which a check begins what it says of an answer, are the check's own. Digits are
# taken together (++), for there are 2**n ways to take n of them apart.
_INPUTS = re.compile(
    r"For (?:(?:'(?:[^'\\]|\\.)*'"
    r'|"(?:[^"\\]|\\.)*"'
    r"|None|-?\d++|\{[^{}]*+\})(?: \* \d++)?(?:, |(?: with | and )\w+=)?)++(?:\.\.\.)?: ",
    re.DOTALL,
)


def without_words(written: Sequence[Unit]) -> Callable[[Problem], Problem]:
    """What may be shown of a problem: its type, and the learner's lines as they handed them in.

    Its words are shown where they are Python's or PyTorch's usual ones.
    """
    names = {word for unit in written for word in re.findall(r"\w+", unit.code)}
    lines = {
        (unit.label, unit.line + index): text.strip()
        for unit in written
        for index, text in enumerate(unit.code.splitlines())
    }

    def veil(problem: Problem) -> Problem:
        known = names | _BUILTIN
        type_name = problem.type if problem.type in known else _UNKNOWN
        frames = tuple(
            Frame(
                f.label, f.line, f.function if f.function in names else "", lines[f.label, f.line]
            )
            for f in problem.frames
            if (f.label, f.line) in lines
        )
        is_veiled = not is_usual(problem.message, known)
        return replace(problem, type=type_name, frames=frames, is_veiled=is_veiled)

    return veil


def without_quotes(mark: Mark) -> Mark:
    """The mark without the texts that its checks quote from answers."""
    return replace(mark, checks=tuple(map(_unquoted, mark.checks)))


def _unquoted(check: CheckResult) -> CheckResult:
    differences = tuple(
        replace(each, expected=_cut(each.expected), got=_cut(each.got))
        for each in check.differences
    )
    return replace(check, message=_cut(check.message), differences=differences)


def _cut(text: str) -> str:
    inputs = _INPUTS.match(text)
    start = inputs.end() if inputs else 0
    return text[:start] + _QUOTED.sub("…", text[start:])


def veiled(tried: Attempt, veil: Callable[[Problem], Problem]) -> Attempt:
    """The attempt as it would have been told with a reference beside it."""

    def shown(problem: Problem | None) -> Problem | None:
        return None if problem is None else veil(problem)

    runs = []
    for run in tried.runs:
        if isinstance(run.error, CandidateError):
            error = CandidateError(veil(run.error.problem))
            run = replace(run, error=error, result=replace(run.result, message=str(error)))
        runs.append(run)
    return replace(tried, runs=tuple(runs), unloaded=shown(tried.unloaded))


def in_own_words(kept: Mark, own: Mark, own_veiled: Mark) -> Mark:
    """What was said of the code alone, wherever the same was said of it beside a reference."""
    checks = tuple(kept.checks)
    if len(own.checks) == len(checks):
        trios = zip(kept.checks, own.checks, own_veiled.checks, strict=True)
        checks = tuple(mine if hidden == check else check for check, mine, hidden in trios)
    same = kept.message == own_veiled.message and kept.verdict == own.verdict
    return replace(kept, checks=checks, message=own.message if same else kept.message)
