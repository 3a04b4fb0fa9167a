"""Has an object of this kernel marked by the checker; without one, looks at what needs no answer.

In a released bundle this stands where the course's own marking stands in a clone.
"""

from collections.abc import Collection
from typing import Any, NoReturn

from ...candidate.records import CheckOutcome, CheckResult
from ...report import wording
from ..cards import Notice
from ..checked import Checked, Unmarked
from ..kernel_state import undisturbed
from ..on_the_cpu import on_the_cpu
from ..output import kept_output
from ..own_code import cells_for
from ..reading import global_names
from ..time_limit import TimeLimit
from . import checker_client, settings
from .forms import form_of
from .without_answers import NotStarted, look_at

SECONDS = 10.0  # for all calls of one look together
_REST = "What it computes is checked when you hand it in."


def get_ready() -> None:
    """Nothing is to be loaded before the first check."""


def check_in_kernel(
    name: str,
    value: Any,
    seconds: float = SECONDS,
    explain: bool = True,
    lent: Collection[str] = (),
) -> Checked:
    """The checker's mark. Raises Unmarked with what can be said where there is none.

    The checker knows by itself what is lent.
    """
    if not explain:  # `kit.earlier` asks by the way, which is no reason to ask the checker
        raise Unmarked(Notice(f"{name} was not checked", ()))
    if not settings.checker():
        _look(name, value, seconds, "")
    try:
        cells = cells_for(name, value)
        mark = checker_client.mark_of(name, cells)
        return Checked(mark, code="\n".join(cell.source for cell in cells))
    except checker_client.CheckerError as error:
        _look(name, value, seconds, f"{error} So only what needs no answer was looked at.")


def _look(name: str, value: Any, seconds: float, why: str) -> NoReturn:
    """Raise what can be told of an exercise here."""
    form = form_of(name)
    if form is None:
        raise Unmarked(Notice(f"{name}: nothing can be said of it here", _lines(why, _REST)))
    found: tuple[CheckResult, ...] = ()
    try:
        with (
            undisturbed(),
            on_the_cpu(global_names(value)),
            kept_output(),
            TimeLimit(seconds) as limit,
        ):
            found = limit.run(lambda: look_at(form, value)) or ()
    except NotStarted:
        message = "It is still the stub, or calls one."
        raise Unmarked(Notice(f"{name}: not started", _lines(message, why))) from None
    if limit.is_over:
        message = f"Its calls took more than {seconds:g} seconds."
        raise Unmarked(Notice(f"{name}: timeout", _lines(message, why)))
    wrong = [check for check in found if check.outcome is not CheckOutcome.PASSED]
    title = "this is not right yet" if wrong else "no fault found in what needs no answer"
    lines = (" ".join(_lines(wording.titled(check), check.message)) for check in found)
    raise Unmarked(Notice(f"{name}: {title}", _lines(why, *lines, "" if wrong else _REST)))


def _lines(*lines: str) -> tuple[str, ...]:
    return tuple(line for line in lines if line)
