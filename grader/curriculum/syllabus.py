"""Reads the syllabus: chapters, exercises, points, dependencies; knows no check and no learner."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from .complaint import Complaint
from .course import course

_EVERYWHERE = "any_exercise"  # the shortcuts that no exercise may take


@dataclass(frozen=True)
class Exercise:
    """One stub, known by its name alone."""

    name: str
    chapter: str
    kind: str  # "function", "module", or "class": one that is seen through a harness alone
    points: float
    uses: tuple[str, ...]  # earlier exercises that it may call
    beside: tuple[str, ...]  # exercises that its checks need loaded with it, though it names none
    forbidden: tuple[str, ...]  # ready-made functions that would be the exercise itself
    judges: bool = False  # whether it is to tell right implementations from wrong ones

    @property
    def is_watched(self) -> bool:
        """Whether what its code runs can show a shortcut: PyTorch's functions, and modules."""
        return self.kind == "module" or any(name.startswith("torch.") for name in self.forbidden)


@dataclass(frozen=True)
class Syllabus:
    """All exercises in the order in which a learner meets them."""

    exercises: tuple[Exercise, ...]
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)  # of chapters

    @property
    def names(self) -> tuple[str, ...]:
        """All exercises in the order of the course."""
        return tuple(exercise.name for exercise in self.exercises)

    @property
    def chapters(self) -> tuple[str, ...]:
        """All chapters in their order, each once."""
        return tuple(dict.fromkeys(exercise.chapter for exercise in self.exercises))

    def __getitem__(self, name: str) -> Exercise:
        for exercise in self.exercises:
            if exercise.name == name:
                return exercise
        raise KeyError(f"no exercise is called {name!r}; there are: {', '.join(self.names)}")

    def title(self, chapter: str) -> str:
        """A chapter's name, to read."""
        return self.titles.get(chapter) or chapter[3:].replace("_", " ").capitalize()

    def chapters_named(self, text: str) -> tuple[str, ...]:
        """The chapters that `00-05`, `03` or `00-02,05` names, in course order.

        Raises Complaint.
        """
        wanted: set[str] = set()
        for part in text.split(","):
            found = re.fullmatch(r"\s*(\d\d)(?:-(\d\d))?\s*", part)
            if found is None:
                raise Complaint(f"{part!r} names no chapters; write 00-05, 03 or 00-02,05")
            first, last = found[1], found[2] or found[1]
            named = {name for name in self.chapters if first <= name[:2] <= last}
            if not named:
                raise Complaint(f"there is no chapter {part.strip()}")
            wanted |= named
        return tuple(name for name in self.chapters if name in wanted)

    def before(self, name: str) -> tuple[str, ...]:
        """Every exercise that stands before `name` in the course."""
        return self.names[: self.names.index(name)]

    def lendable(self, name: str) -> tuple[str, ...]:
        """The earlier exercises whose references may stand in for a learner's beside `name`.

        None of a judge's own chapter: a right one to compare with is what it has to do without.
        """
        own = self[name].chapter if self[name].judges else ""
        return tuple(each for each in self.before(name) if self[each].chapter != own)

    def needs(self, name: str) -> tuple[str, ...]:
        """Every exercise that `name` may call, directly or not, in course order."""
        found: set[str] = set()
        waiting = list(self[name].uses)
        while waiting:
            used = waiting.pop()
            if used not in found:
                found.add(used)
                waiting.extend(self[used].uses)
        return tuple(each for each in self.names if each in found)


def judges_others(exercise: str) -> bool:
    """Whether an exercise is to tell right implementations from wrong ones."""
    return exercise in syllabus().names and syllabus()[exercise].judges


@cache
def syllabus() -> Syllabus:
    """The syllabus of this course, from `syllabus.toml`."""
    exercises = []
    data = course().data("syllabus.toml")
    shortcuts: dict[str, list[str]] = {_EVERYWHERE: [], **data.get("shortcuts", {})}
    for chapter in data["chapter"]:
        for row in chapter["exercise"]:
            groups = (*row.get("forbidden", ()), _EVERYWHERE)
            forbidden = [path for group in groups for path in shortcuts[group]]
            exercises.append(
                Exercise(
                    name=row["name"],
                    chapter=chapter["name"],
                    kind=row["kind"],
                    points=float(row["points"]),
                    uses=tuple(row.get("uses", ())),
                    beside=tuple(row.get("beside", ())),
                    forbidden=tuple(forbidden),
                    judges=row.get("judges", False),
                )
            )
    titles = {each["name"]: each["title"] for each in data["chapter"] if "title" in each}
    return Syllabus(tuple(exercises), titles)
