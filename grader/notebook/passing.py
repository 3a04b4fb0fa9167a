"""What a pass earns: on which try it came, why it matters, how others write it; marks nothing."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..report.text import count, points

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


@dataclass(frozen=True)
class WholeChapter:
    """A chapter of which every exercise has passed, and the course around it."""

    number: str
    title: str
    exercises: tuple[str, ...]
    points: float
    tries: int  # 0 where nobody knows
    course: tuple[tuple[str, bool], ...]  # each chapter's number, and whether it is whole

    @property
    def head(self) -> str:
        """What happened."""
        return f"Chapter {self.number} is whole: {self.title}."

    @property
    def told(self) -> str:
        """How much that was, and how much of the course is whole."""
        tries = f" in {self.tries} {'try' if self.tries == 1 else 'tries'}" if self.tries else ""
        whole = sum(is_whole for _, is_whole in self.course)
        return (
            f"{count(len(self.exercises), 'exercise')}, {points(self.points)} of "
            f"{points(self.points)} points{tries}. "
            f"{whole} of {count(len(self.course), 'chapter')} of the course done."
        )


@dataclass(frozen=True)
class Earned:
    """What a card says once an exercise has passed."""

    tries: int = 0  # 0 where nobody knows
    why: str = ""
    ways: tuple[tuple[str, str], ...] = ()  # titles and code
    whole: WholeChapter | None = None

    @property
    def tried(self) -> str:
        """On which try it came."""
        if not self.tries:
            return ""
        number = self.tries
        if number <= len(_ORDINALS):
            return f"Passed on the {_ORDINALS[number - 1]} try."
        return f"Passed after {number} tries."

    def lines(self) -> Iterator[str]:
        """The same in words."""
        if said := " ".join(filter(None, [self.tried, self.why])):
            yield said
        if self.whole is not None:
            yield f"★ {self.whole.head} {self.whole.told}"
