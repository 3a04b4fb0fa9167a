"""What one kernel remembers of its checks and hints until it ends; it marks and shows nothing."""

from collections import Counter
from dataclasses import dataclass, field

from ..candidate.message import message_of
from ..candidate.records import SHORTCUT_TITLE, CheckOutcome, Mark, Verdict
from .progress_file import Remembered

_LENT = "lent by the reference"
_IDLE = (Verdict.PASSED, Verdict.NOT_STARTED, Verdict.MISSING, Verdict.BLOCKED)
_TIMES = {3: "third", 4: "fourth", 5: "fifth"}


@dataclass(frozen=True)
class Try:
    """What tells the mistake that a check found, of which code, and how often in a row."""

    mistake: tuple[str, ...]
    code: str
    times: int = 1


@dataclass
class Memory:
    """Owns all that a kernel knows of earlier calls; a new one is a kernel just started."""

    checked: dict[str, Remembered] = field(default_factory=dict)  # what the last check came to
    handed_out: dict[str, str] = field(default_factory=dict)  # what `kit.earlier` said of each
    _tries: dict[str, Try] = field(default_factory=dict)
    _hints: Counter[str] = field(default_factory=Counter)

    def again(self, mark: Mark, code: str) -> tuple[str, ...]:
        """A sentence where the last check of this exercise found the same mistake, else nothing."""
        mistake, last = _mistake(mark), self._tries.get(mark.name)
        if not mistake or last is None or last.mistake != mistake:
            self._tries[mark.name] = Try(mistake, code)
            return ()
        times = last.times + 1
        self._tries[mark.name] = Try(mistake, code, times)
        if code == last.code:
            return ("The code is the same as at the last check, and so is the mistake.",)
        if times < min(_TIMES):
            return ("The same mistake as at the last check: what you changed does not bear on it.",)
        return (
            f"The same mistake for the {_TIMES.get(times, f'{times}th')} time. Leave the code for "
            "a moment: write down for one tiny input what each line should hold, then print it.",
        )

    def give_hint(self, name: str, of: int) -> int:
        """Count one more hint, where there is one more than are out; how many are out then."""
        self._hints[name] = min(self._hints[name] + 1, of)
        return self._hints[name]

    def hand_out(self, name: str, verdict: str | None = None) -> None:
        """Keep what a later chapter works with: the learner's own, or None for the reference's.

        A verdict is empty where the learner's own passed.
        """
        if verdict == "":
            self.handed_out.pop(name, None)
        else:
            self.handed_out[name] = _LENT if verdict is None else verdict

    def lent(self) -> frozenset[str]:
        """The exercises for which this kernel works with the reference's."""
        return frozenset(name for name, said in self.handed_out.items() if said == _LENT)


def _mistake(mark: Mark) -> tuple[str, ...]:
    """What tells a mistake from others: its names, else what is said of it."""
    if mark.verdict in _IDLE or any(check.title == SHORTCUT_TITLE for check in mark.checks):
        return ()
    if mark.diagnosis:
        return tuple(found.id for found in mark.diagnosis)
    where = mark.location
    raised = (where.part, where.words) if where is not None and where.words else ()
    wrong = (check for check in mark.checks if check.outcome is not CheckOutcome.PASSED)
    return raised + tuple(
        message_of(said).key for said in (mark.message, *(c.message for c in wrong)) if said
    )
