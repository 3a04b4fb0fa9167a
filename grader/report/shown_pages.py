"""Says of each page of a report whose it is and what it is made of; writes none."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..candidate.records import Doubt, Note
from .classroom import Classroom
from .page_memory import made_of
from .text import page_name
from .wording import is_idle

LEARNERS, EXERCISES = "learners", "exercises"  # the folders of their pages
CLASS, SLIDE = "index.html", "slide.html"


@dataclass(frozen=True)
class Shown:
    """What pages show: whose each is, and a hash of what each is made of."""

    page_of: Mapping[str, str]  # the file of each learner's page
    shared: Mapping[str, list[str]]  # the learners of each page
    pages: Mapping[str, str]  # of learners and of the class, by their names in the report
    exercises: Mapping[str, str]  # by exercise


def what_pages_show(room: Classroom, key: str) -> Shown:
    """Those whose pages would say the same have one; with a `key` each has their own."""
    book = room.book
    notes, held = (book.notes(), book.seen()) if key else ([], {})
    works = _works(room, key)
    shared = _shared(works.told)
    page_of = {name: page for page, names in shared.items() for name in names}
    whose: dict[str, list[Note]] = {}
    for note in notes:
        whose.setdefault(note.learner, []).append(note)
    made = {
        f"{LEARNERS}/{page}": made_of(
            [
                *(key, works.told[names[0]], names, book.members(names[0])),
                *(whose.get(names[0]), held.get(names[0])),
            ]
        )
        for page, names in shared.items()
    }
    about = [(n.learner, n.exercise, n.kind, n.id) for n in notes]
    everything = [
        sorted(page_of.items()),
        works.told,
        book.standing(),
        book.lateness(),
        book.notes(),
    ]
    everything += [book.fact("seed"), book.unisolated(), book.tries(), book.chapters, key]
    made |= dict.fromkeys((CLASS, SLIDE), made_of(everything))
    exercises = {
        name: made_of(
            [key, own, [page_of[learner] for learner, _ in own], works.here]
            + [held.get(learner) for learner, _ in own]
            + [each for each in about if each[1] == name]
        )
        for name, own in works.answers.items()
    }
    return Shown(page_of, shared, made, exercises)


@dataclass
class _Works:
    """What there is to tell of learners' work."""

    told: dict[str, str] = field(default_factory=dict)  # a hash of all that is told of each
    answers: dict[str, list[tuple[str, object]]] = field(default_factory=dict)  # by exercise
    here: int = 0  # how many are in the class


def _works(room: Classroom, key: str) -> _Works:
    """The work of everybody; of who is absent there are no answers."""
    marks: dict[int, str] = dict(room.book.rows("SELECT id, hash FROM mark"))
    sources: dict[int, str] = dict(room.book.rows("SELECT id, hash FROM source"))
    works = _Works()
    for learner in room.learners():
        own = tuple(
            (e.exercise, marks[e.mark], sources.get(e.source or 0), e.answer, e.by_hand)
            for e in learner.answers
        )
        if Doubt.ABSENT not in learner.doubts:
            works.here += 1
            for each in own:
                works.answers.setdefault(each[0], []).append((learner.name, each))
        # Who has handed in no answer has copied none.
        is_alone = bool(key) or all(map(is_idle, room.marks(learner).marks))
        said = (learner.problems, learner.doubts, learner.said, learner.other_chapters)
        works.told[learner.name] = made_of([own, said, learner.name if is_alone else ""])
    return works


def _shared(told: Mapping[str, str]) -> dict[str, list[str]]:
    """The learners of each page: those of whom the same is told have one."""
    by_work: dict[str, list[str]] = {}
    for name, work in told.items():
        by_work.setdefault(work, []).append(name)
    return {
        page_name(names[0]) if len(names) == 1 else f"work-{work[:32]}.html": names
        for work, names in by_work.items()
    }


def page_of_exercise(exercise: str) -> str:
    """Its name in the report."""
    return f"{EXERCISES}/{exercise}.html"
