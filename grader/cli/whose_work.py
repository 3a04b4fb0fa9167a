"""Which hand-in counts of each learner in a run: of several attempts, and of a group's members."""

from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

from ..cohort import SubmissionDone, Way, grade_class
from ..cohort.attempts import adopt, attempts_of, best, last, latest, only
from ..cohort.messages import Setup
from ..curriculum.complaint import Complaint
from ..gradebook.groups import read_groups, shared
from ..gradebook.roster import table_of, write_rows
from ..gradebook.store import Gradebook
from ..gradebook.times import HandedInAt, moment
from ..report.class_report import mark_unfinished
from ..report.standing import listed
from ..submission import Found, find_submissions, text_of
from .class_run import Run
from .console import err, say

TRIED, CHOSEN = "attempts", "attempts.csv"  # all attempts with their marks; which one counts


def chosen_of(
    run: Run,
    setup: Setup,
    way: Way,
    tell: Callable[[SubmissionDone], None],
    times: dict[str, HandedInAt],
) -> list[Found] | None:
    """The attempt of each learner that counts; the best is known when the latest are marked.

    They have a gradebook of their own beside the class's. A table says which one counts.
    None where no manifest says whose each file is: its name does.
    """
    if not run.path.is_dir():
        return _alone(run.path.resolve())
    if not run.attempts and not table_of(run.path, "manifest").exists():
        return None
    every = attempts_of(run.path, find_submissions(run.path))
    if not run.attempts:
        chosen = only(every)
    elif run.attempts == "last":
        chosen = last(every)
    else:
        tried = run.folder / TRIED
        tries = latest(every)
        if many := [learner for learner in every if tries[learner] != every[learner]]:
            most = f"the latest {len(tries[many[0]])} attempts are marked"
            say(f"Of these learners {most}, and the best of those counts: {listed(many)}.", err)
        each_one = [Found(one.path, one.name) for one in chain.from_iterable(tries.values())]
        with Gradebook.create(run.folder) as book:  # whose marks may be old from here on
            book.begin(text_of(str(run.path.resolve())), (), "as before")
            chapters = book.chapters if run.chapters is None else run.chapters
        begun = partial(mark_unfinished, run.folder)
        grade_class(run.path, tried, setup, way, tell, begun=begun, chosen=each_one)
        chosen = best(tries, tried, chapters)
        adopt(chosen, tried, run.folder)
    for each in chosen:
        at = moment(each.time)
        times[each.learner] = HandedInAt(at, str(at.tzinfo), "the manifest")
    if run.attempts:
        run.folder.mkdir(parents=True, exist_ok=True)
        rows = (
            (each.learner, each.time, every[each.learner].index(each) + 1, len(every[each.learner]))
            for each in chosen
        )
        write_rows(run.folder / CHOSEN, ("learner", "time", "attempt", "of"), rows)
    return [Found(each.path, each.learner) for each in chosen]


def _alone(path: Path) -> list[Found] | None:
    """A single file under the name of whose it is, by the manifest of its folder."""
    if not table_of(path.parent, "manifest").exists():
        return None
    for learner, tried in attempts_of(path.parent, find_submissions(path.parent)).items():
        if path.name in (each.path.name for each in tried[:-1]):
            raise Complaint(f"{learner} has handed in again since {path.name}: grade the folder")
        if path.name == tried[-1].path.name:
            return [Found(path, learner)]
    return None


def of_groups(run: Run, chosen: list[Found] | None, times: dict[str, HandedInAt]) -> list[Found]:
    """Each member of a group with the group's work, and its time; raises Complaint."""
    groups = read_groups(run.groups) if run.groups else {}
    works = {each.learner: each for each in chosen or find_submissions(run.path)}
    by_group = [name for name, members in groups.items() if name in works and name not in members]
    if by_group and chosen is not None:
        raise Complaint(
            f"{by_group[0]} is a group in {run.groups} and somebody who handed in, as the manifest "
            "says: call the group otherwise"
        )
    with Gradebook.create(run.folder) as book:
        if learners := [name for name in book.learners() if name in by_group]:
            raise Complaint(
                f"{learners[0]} is a group in {run.groups} and a learner with marks in "
                f"{run.folder}: call the group otherwise. If the work of that name is the group's, "
                "call it otherwise as well, or take another --out"
            )
    if by_group:
        who = f"Taken for the work of a group of that name, and of no learner: {listed(by_group)}."
        say(f"{who} Is that a learner's own work, call the group otherwise and grade again.", err)
    whose, without = shared(works, groups)
    if unclear := _without_one_time(groups, whose, times):
        differ = "Members of a group have different times, so none holds; give the group a line of"
        say(f"{differ} its own: {listed(unclear)}.", err)
    if without:
        say(f"Nobody of these groups has handed in: {listed(without)}.", err)
    with Gradebook.create(run.folder) as book:
        book.set_groups(groups, keeps=run.include_absent)
    return [Found(works[work].path, learner) for learner, work in sorted(whose.items())]


def without_groups(run: Run, chosen: list[Found] | None) -> list[Found] | None:
    """The same where no groups are given; raises Complaint where a work is one of a group's."""
    with Gradebook.create(run.folder) as book:
        groups = book.groups()
    works = {each.learner for each in chosen or (find_submissions(run.path) if groups else ())}
    if forgotten := [each for each in groups if each in works and each not in groups[each]]:
        raise Complaint(
            f"{forgotten[0]} was a group in the run before: give --groups again. If the work of "
            "that name is a learner's now, call it otherwise, or take another --out"
        )
    return chosen


def _without_one_time(
    groups: dict[str, tuple[str, ...]], whose: dict[str, str], times: dict[str, HandedInAt]
) -> list[str]:
    """Give each member the time of the group's work; the groups of which it is not known."""
    unclear = []
    for group, members in groups.items():
        known = {
            each: times.pop(each) for each in dict.fromkeys((group, *members)) if each in times
        }
        work = whose.get(members[0], group)
        counts = known.get(work, known.get(group))  # of what counts, whoever else has a line
        if counts is None and len(set(known.values())) == 1:
            counts = next(iter(known.values()))
        if counts is not None:
            times |= dict.fromkeys(members, counts)
        elif known:
            unclear.append(group)
    return unclear
