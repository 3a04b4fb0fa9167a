"""Tells whose each collected file is and which attempt counts, by a manifest alone; marks none."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..curriculum.complaint import Complaint
from ..curriculum.syllabus import syllabus
from ..gradebook.entries import Recorded
from ..gradebook.roster import read_records, table_of
from ..gradebook.store import Gradebook
from ..gradebook.times import moment
from ..submission import Found

HEAD = ("file", "learner", "time")
DECIDED = ".grader-collected"  # in a folder: a new set that has not wholly taken its place
MOST_MARKED = 20  # attempts of one learner: each may take minutes


@dataclass(frozen=True)
class FileHandedIn:
    """One attempt; `name` is what it would be marked under by itself."""

    learner: str
    name: str
    path: Path
    time: str  # as the manifest has it


def refuse_half_put(path: Path) -> None:
    """Raises Complaint for a folder of which `grader collect` has put a part, and its files."""
    if any((folder / DECIDED).is_dir() for folder in (path, path.parent)):
        raise Complaint(
            f"{path} is half old and half new, as `grader collect` was stopped when it put the new "
            "hand-ins in place: run it again, and nothing of them is lost"
        )


def attempts_of(folder: Path, found: Iterable[Found]) -> dict[str, list[FileHandedIn]]:
    """Each learner's attempts at what was found in a folder, oldest first, by its manifest.

    Of one time, the later line is the later one. Raises Complaint.
    """
    path = table_of(folder, "manifest")
    if not path.exists():
        raise Complaint(
            f"whose the files of {folder} are, and which is the later one, {path} has to say, a "
            f"line for each with {', '.join(HEAD)}; `grader collect` writes it"
        )
    rows = read_records(path, *([column] for column in HEAD))
    places = {each.path.name: each for each in found}
    named = Counter(row["file"] for row in rows)
    for what, names in (
        ("has no line for", sorted(places.keys() - {*named})),
        ("names a file that is not there:", [name for name in named if name not in places]),
        ("has two lines for", [name for name, lines in named.items() if lines > 1]),
        ("names no learner for", [row["file"] for row in rows if not row["learner"]]),
    ):
        if names:
            raise Complaint(f"{path} {what} {min(names)}; add, mend or remove the line")
    by_learner: dict[str, list[tuple[datetime, FileHandedIn]]] = {}
    for row in rows:
        one = FileHandedIn(row["learner"], row["file"], places[row["file"]].path, row["time"])
        time = moment(one.time, f"{path}, {one.name}: ").astimezone(UTC)
        by_learner.setdefault(one.learner, []).append((time, one))
    return {
        learner: [one for _, one in sorted(timed, key=lambda row: row[0])]
        for learner, timed in sorted(by_learner.items())
    }


def only(attempts: dict[str, list[FileHandedIn]]) -> list[FileHandedIn]:
    """The one of each learner; raises Complaint where somebody has several."""
    for learner, each in attempts.items():
        if len(each) > 1:
            raise Complaint(f"{learner} has handed in {len(each)} times: say --attempts")
    return last(attempts)


def last(attempts: dict[str, list[FileHandedIn]]) -> list[FileHandedIn]:
    """The latest of each learner."""
    return [each[-1] for each in attempts.values()]


def latest(attempts: dict[str, list[FileHandedIn]]) -> dict[str, list[FileHandedIn]]:
    """Of each learner's attempts as many as are marked."""
    return {learner: each[-MOST_MARKED:] for learner, each in attempts.items()}


def best(
    attempts: dict[str, list[FileHandedIn]], tried: Path, chapters: Sequence[str] = ()
) -> list[FileHandedIn]:
    """That of each learner with the most points in the gradebook of `tried`, of these chapters if
    any is named; the earliest of those with as many."""
    with Gradebook.open(tried) as book:
        book.chapters = chapters

        def points(attempt: FileHandedIn) -> float:
            marks = book.submission(attempt.name)
            return marks.points if marks else 0.0

        return [max(each, key=points) for each in attempts.values()]


def adopt(chosen: Sequence[FileHandedIn], tried: Path, folder: Path) -> None:
    """Give the gradebook of `folder` the marks that attempts got in that of `tried`.

    A run over them finds that they are marked. The caller holds `folder`. Raises GradebookError.
    """
    order = syllabus().names
    with Gradebook.open(tried) as source, Gradebook.create(folder) as book:
        for each in chosen:
            known, marks = source.known(each.name), source.submission(each.name)
            if known is None or marks is None or book.known(each.learner) == known:
                continue
            query = "SELECT isolated FROM submission WHERE learner = ?"
            ((isolated,),) = source.rows(query, each.name)
            head = (each.learner, known.content, known.settings, bool(isolated), marks.problems)
            book.record(Recorded(*head, tuple(source.entries(each.name))), order)
