"""Compares the submissions of a class for `grader similar`; marks nothing and runs no code."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..candidate.message import Place
from ..cohort.attempts import attempts_of, refuse_half_put
from ..curriculum.course import course
from ..curriculum.references import reference_submission
from ..curriculum.syllabus import syllabus
from ..gradebook.groups import read_groups
from ..gradebook.roster import table_of
from ..report.likeness import ClassPrints, Pair, Work, fingerprints, is_read_whole, prints_of
from ..report.pairs import Beside, ShownPair, Side, show_beside, show_pairs, similar_page
from ..report.text import name_of
from ..submission import Submission, Unit, find_submissions, load_submission, own_code
from ..submission.bounded import why_unreadable
from ..submission.showing import Showing
from .console import out, say

commands = typer.Typer()

_ON_PAGE = 100  # pairs


@commands.command()
def similar(
    folder: Annotated[Path, typer.Argument(metavar="DIR", exists=True, help="A class.")],
    page: Annotated[Path | None, typer.Option("--out", help="An HTML page to write.")] = None,
    show: Annotated[int, typer.Option(min=0, help="Pairs whose code is shown here.")] = 1,
    groups: Annotated[
        Path | None, typer.Option(help="Who worked together, and is no pair: group,learner.")
    ] = None,
) -> None:
    """Find code that is alike beyond what is common; it proves nothing."""
    refuse_half_put(folder)
    together = read_groups(groups) if groups else {}
    group_of = {name: group for group, names in together.items() for name in (group, *names)}
    found = [*find_submissions(folder)]
    paths = {each.learner: each.path for each in found}
    if table_of(folder, "manifest").exists():  # which says whose each is, and which counts
        paths = {name: tried[-1].path for name, tried in attempts_of(folder, found).items()}
    given = _given()
    prints = ClassPrints(given)
    for learner, path in paths.items():
        read = partial(load_submission, path, syllabus().names)
        if why := why_unreadable(partial(_looked_through, read)):
            say(f"{name_of(learner)}: this hand-in {why}.")
            continue
        work = _work(read())
        prints.add(learner, work)
        if cut := [name for name, units in work.items() if not is_read_whole(units)]:
            say(f"{name_of(learner)}: not all of {', '.join(cut)} is compared; it is too long.")
    pairs = [
        pair
        for pair in prints.pairs()
        if len({group_of.get(name, f"\0{name}") for name in pair.learners}) > 1
    ]
    shown = pairs[: _ON_PAGE if page else show]
    named = {each for pair in shown for each in pair.learners}
    works = {each: _work(load_submission(paths[each], syllabus().names)) for each in named}
    answered = {alike.exercise for pair in shown for alike in pair.exercises}
    without = {name: prints.common(name) | given.get(name, frozenset()) for name in answered}
    beside = [_beside(pair, works, without) for pair in shown]
    if page:  # first, as who reads the rest may end this before it has come
        text = similar_page(len(paths), beside, len(pairs) - len(shown))
        page.write_text(text, encoding="utf-8", errors="backslashreplace")
    show_pairs(out, len(paths), pairs)
    for each in beside[:show]:
        show_beside(out, each)
    if page:
        say(f"{page} has the whole of it.")


def _given() -> dict[str, frozenset[int]]:
    """What everybody was handed, and what the solution is made of."""
    found: dict[str, frozenset[int]] = {}
    for submission in (
        load_submission(course().notebooks, syllabus().names),
        reference_submission(),
    ):
        for name, units in _work(submission).items():
            found[name] = found.get(name, frozenset()) | prints_of(units)
    return found


def _work(submission: Submission) -> Work:
    names = frozenset(syllabus().names)
    cuts = ((name, submission.slice(name)) for name in syllabus().names)
    return {name: own_code(cut, names) for name, cut in cuts if cut is not None}


def _looked_through(read: Callable[[], Submission]) -> None:
    for units in _work(read()).values():
        prints_of(units)


def _beside(
    pair: Pair, works: Mapping[str, Work], without: Mapping[str, frozenset[int]]
) -> ShownPair:
    exercises = []
    showing = Showing(), Showing()
    for alike in sorted(pair.exercises, key=lambda each: -each.weight):
        answers = [works[each].get(alike.exercise, ()) for each in pair.learners]
        places = [_places(units) for units in answers]
        shared = (places[0].keys() & places[1].keys()) - without[alike.exercise]
        one, other = (
            Side(show.of(units), {each for key in shared for each in held[key]})
            for show, units, held in zip(showing, answers, places, strict=True)
        )
        exercises.append(Beside(alike, (one, other)))
    return ShownPair(pair, tuple(exercises))


def _places(units: Iterable[Unit]) -> dict[int, set[Place]]:
    """The lines that each fingerprint of an answer stands for."""
    found: dict[int, set[Place]] = defaultdict(set)
    for unit in units:
        for key, lines in fingerprints(unit).items():
            for first, last in lines:
                found[key].update(Place(unit.label, line) for line in range(first, last + 1))
    return found
