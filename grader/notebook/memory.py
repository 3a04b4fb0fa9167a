"""What one kernel remembers of its checks and hints until it ends; it marks and shows nothing."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..candidate.records import Mark, Verdict
from .again import Try, more_to_say
from .progress_file import Remembered

_LENT = "lent by the reference"


@dataclass
class Memory:
    """Owns all that a kernel knows of earlier calls; a new one is a kernel just started."""

    checked: dict[str, Remembered] = field(default_factory=dict)  # what the last check came to
    handed_out: dict[str, str] = field(default_factory=dict)  # what `kit.earlier` said of each
    _tries: dict[str, Try] = field(default_factory=dict)
    _hints: Counter[str] = field(default_factory=Counter)

    def note(self, mark: Mark) -> None:
        """Keep what a check came to."""
        self.checked[mark.name] = Remembered(mark.verdict, mark.points)

    def again(self, mark: Mark, code: str) -> tuple[str, ...]:
        """A sentence where the last check of this exercise found the same mistake, else nothing."""
        more, self._tries[mark.name] = more_to_say(mark, code, self._tries.get(mark.name))
        return more

    def hints_given(self, name: str, of: int, more: int = 1) -> int:
        """How many hints of an exercise are out now that `more` are asked for, `of` at most."""
        self._hints[name] = min(self._hints[name] + more, of)
        return self._hints[name]

    def hand_out(self, name: str, verdict: str | None = None) -> None:
        """Keep what a later chapter works with: the learner's own, or None for the reference's.

        A verdict is empty where the learner's own passed.
        """
        if verdict == "":
            self.handed_out.pop(name, None)
        else:
            self.handed_out[name] = _LENT if verdict is None else verdict

    def is_wrong(self, name: str) -> bool:
        """Whether a learner's own exercise is known not to pass; one that is lent is right."""
        mark = self.checked.get(name)
        if mark is not None:
            return mark.verdict is not Verdict.PASSED
        return self.handed_out.get(name, _LENT) != _LENT

    def passed(self, before: Mapping[str, Remembered]) -> set[str]:
        """The exercises that have passed, here or in an earlier session."""
        known = {**before, **self.checked}
        return {name for name, row in known.items() if row.verdict is Verdict.PASSED}
