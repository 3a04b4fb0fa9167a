"""Marks many submissions into one gradebook, resumable, with one writer; shows nothing."""

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..candidate.records import Verdict
from ..curriculum.complaint import Complaint
from ..curriculum.syllabus import syllabus
from ..gradebook.database import as_json
from ..gradebook.entries import Recorded
from ..gradebook.store import REPORT, Gradebook, Others
from ..submission import Found, find_submissions, nobodys, text_of
from .keys import digest, judging_digest
from .lock import held
from .messages import Marking, Setup, Task, TaskResult, unmarked
from .pool import Pool
from .task_marking import nothing
from .unchanged import bytes_of

MOST_UNASKED = 8  # jobs; each takes memory of its own
_FOLDERS = "folders"  # a gradebook's fact: whom runs have found in each
Way = Callable[[Setup], Marking]


@dataclass(frozen=True)
class SubmissionDone:
    """One more submission is done; `failed` says why the grader itself could not mark it."""

    done: int
    total: int
    learner: str
    failed: str = ""
    seconds: float = 0.0  # that marking it took


@dataclass(frozen=True)
class Result:
    """What a whole run came to."""

    submissions: int
    marked: int  # the others were up to date
    failed: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()  # whom an earlier run has found in another folder
    lost: tuple[str, ...] = ()  # who had points for what is not in their work any more


def fresh_seed() -> int:
    """A seed that nobody has; who sees what comes of it will not find it by trying all."""
    return secrets.randbits(63)


def setup_for(
    seed: int, limits: dict[str, float], trust: bool, draws_by_code: bool = False
) -> Setup:
    """What a run with these options judges with."""
    judging = judging_digest()
    run = repr((seed, sorted(limits.items()), trust, draws_by_code))
    waits_at_random = not (trust or draws_by_code)  # who asks the checker gets marks at once
    settings = digest([judging, run])
    return Setup(seed, limits, trust, judging, settings, draws_by_code, waits_at_random)


def way_of(jobs: int | None, cluster: str = "") -> Way:
    """So many processes of this machine, or the Dask cluster at an address; raises Complaint.

    Without a number, one for each core that this process may use, up to `MOST_UNASKED`.
    """
    if not cluster:
        usable = getattr(os, "sched_getaffinity", None)
        cores = len(usable(0)) if usable else os.cpu_count() or 1
        return partial(Pool, jobs or min(cores, MOST_UNASKED))
    try:
        from .cluster import ClusterPool
    except ImportError:
        raise Complaint("--cluster needs Dask: pip install distributed") from None
    return partial(ClusterPool, cluster)


def grade_class(
    path: Path,
    folder: Path,
    setup: Setup,
    way: Way,
    tell: Callable[[SubmissionDone], None],
    *,
    include_absent: bool = False,
    begun: Callable[[], None] = nothing,
    chosen: Sequence[Found] | None = None,
    is_held: bool = False,
) -> Result:
    """Mark every submission under `path` into the gradebook of `folder`.

    What the gradebook holds already and nothing has changed since is left as it is, so a run that
    was killed goes on where it was. Learners of earlier runs who are not in the folder are absent
    from now on, unless `include_absent`; a `path` that is no folder leaves all others as they are.
    `begun` is called once there is something to mark. `chosen` takes the place of what would be
    found under `path`. `is_held`: the caller holds the folder. Raises Complaint
    or JobsFail.
    """
    is_folder = path.is_dir()
    found = _outside(folder, find_submissions(path) if chosen is None else chosen)
    failed: list[str] = []
    lost: list[str] = []
    marked = 0
    with Gradebook.create(folder) as book, nullcontext() if is_held else held(folder):
        book.state("seed", str(setup.seed))
        what, learners = text_of(str(path.resolve())), [each.learner for each in found]
        others: Others = "absent" if is_folder else "as before"
        if include_absent:
            others = "present"
        book.begin(what, learners, others, [each.shared for each in found])
        elsewhere = _elsewhere(book, what, learners, include_absent) if is_folder else ()
        if is_folder:
            book.list_nobodys(nobodys(path), keeps=include_absent)
        for done, answer in enumerate(_answers(found, book, setup, way, begun, lost), 1):
            if answer.failed:
                failed.append(answer.learner)
            elif answer.new is not None:
                marked += 1
            one = (answer.learner, answer.failed, answer.seconds)
            tell(SubmissionDone(done, len(found), *one))
        book.finish(what, is_class=is_folder and not include_absent)
        book.fold()
    return Result(len(found), marked, tuple(failed), elsewhere, tuple(lost))


def has_graded(book: Gradebook, path: Path) -> bool:
    """Whether the latest run over a class, or one with `include_absent` since, was over `path`."""
    return text_of(str(path.resolve())) in json.loads(book.fact(_FOLDERS) or "{}")


def _outside(folder: Path, every: Iterable[Found]) -> list[Found]:
    """All but the gradebook's own folder and its report."""
    own = {(folder / inside).resolve() for inside in ("", REPORT)}
    # Where it lies, itself not followed where it is a link.
    places = ((each, each.path.parent.resolve() / each.path.name) for each in every)
    return [each for each, place in places if place not in own]


def _elsewhere(book: Gradebook, what: str, learners: Sequence[str], keeps: bool) -> tuple[str, ...]:
    """Those of these names that stand for work in another folder as well; notes who is in this.

    Two people may go by one name, and what a gradebook has of it is one's. `keeps`: what runs over
    other folders have found still counts.
    """
    known = json.loads(book.fact(_FOLDERS) or "{}") if keeps else {}
    others = {name for folder, names in known.items() if folder != what for name in names}
    book.state(_FOLDERS, as_json({**known, what: learners}))
    return tuple(sorted(others.intersection(learners)))


def _answers(
    found: Sequence[Found],
    book: Gradebook,
    setup: Setup,
    way: Way,
    begun: Callable[[], None],
    lost: list[str],
) -> Iterator[TaskResult]:
    """What came of each, recorded; what is the same to the byte as when it was marked is not read.

    Nobody gets ready to mark where nothing has changed. `lost` is told of those who lose points
    with answers that are not there any more.
    """
    seen, left = book.seen(), []
    for each in found:
        known = seen.get(each.learner)
        if known is not None and known == (bytes_of(each), setup.settings):
            yield TaskResult(each.learner)
        else:
            left.append(each)
    held_bytes: dict[str, str] = {}  # of those that are being marked

    def tasks() -> Iterator[Task]:
        begun()  # while those who mark get ready
        for each in left:
            held_bytes[each.learner] = bytes_of(each)
            yield Task(each.learner, str(each.path), known=book.known(each.learner))

    if left:
        with closing(way(setup)) as marking:
            for answer in marking.run(tasks(), len(left)):
                if answer.new is not None and _loses_points(book, answer.new):
                    lost.append(answer.learner)
                _record(answer, held_bytes.pop(answer.learner, ""), book, setup)
                yield answer


def _loses_points(book: Gradebook, new: Recorded) -> bool:
    """Whether somebody has points for an exercise, and has not handed it in now."""
    had = {entry.mark.name for entry in book.entries(new.learner) if entry.mark.points}
    has = {e.mark.name for e in new.entries if e.mark.verdict is not Verdict.MISSING}
    return bool(had - has - new.kept.keys())


def _record(answer: TaskResult, held_bytes: str, book: Gradebook, setup: Setup) -> None:
    """Keep what came of one, and its bytes; those on which the grader failed are read again."""
    new = answer.new
    if answer.failed:
        new = unmarked(answer.learner, answer.failed, not setup.trust)
    if new is not None:
        book.record(new, syllabus().names)
    if held_bytes:
        settings = "" if answer.failed else setup.settings  # as `unmarked` has them
        book.see(answer.learner, held_bytes, settings)
