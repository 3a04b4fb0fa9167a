"""Notices that a learner meets the same mistake again, and what to say then; gives no hint."""

from dataclasses import dataclass

from ..candidate.message import message_of
from ..candidate.records import CheckOutcome, Mark, Verdict

_IDLE = (Verdict.PASSED, Verdict.NOT_STARTED, Verdict.MISSING, Verdict.BLOCKED)
_OFTEN = 3


@dataclass(frozen=True)
class Try:
    """What a check found, of which code, and how often in a row."""

    mistake: tuple[str, ...]
    code: str
    times: int = 1


def more_to_say(mark: Mark, code: str, last: Try | None) -> tuple[tuple[str, ...], Try]:
    """A sentence where the last check found the same mistake, else nothing; and this try."""
    mistake = _mistake(mark)
    if not mistake or last is None or last.mistake != mistake:
        return (), Try(mistake, code)
    times = last.times + 1
    if code == last.code:
        said = "The code is the same as at the last check, and so is the mistake."
    elif times < _OFTEN:
        said = "The same mistake as at the last check: what you changed does not bear on it."
    else:
        said = (
            f"The same mistake for the {_ordinal(times)} time. Leave the code for a moment: "
            "write down for one tiny input what each line should hold, then print it."
        )
    return (said,), Try(mistake, code, times)


def _mistake(mark: Mark) -> tuple[str, ...]:
    """What tells a mistake from others: its names, else what is said of it."""
    if mark.verdict in _IDLE:
        return ()
    if mark.diagnosis:
        return tuple(found.id for found in mark.diagnosis)
    wrong = (check for check in mark.checks if check.outcome is not CheckOutcome.PASSED)
    return tuple(
        message_of(said).key for said in (mark.message, *(c.message for c in wrong)) if said
    )


def _ordinal(number: int) -> str:
    return {3: "third", 4: "fourth", 5: "fifth"}.get(number, f"{number}th")
