"""Shows whose marks moved from one gradebook to another, and why; changes neither."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ..candidate.records import CheckOutcome, Mark
from ..gradebook.entries import Entry
from ..gradebook.notes import ByHand
from ..gradebook.store import Gradebook
from ..report.standing import incomplete, waiting
from ..report.text import count, name_of, one_line, points
from ..report.wording import NOT_BEGUN
from .console import say

commands = typer.Typer()


@dataclass(frozen=True)
class Move:
    """One learner's exercise whose verdict or points are not what they were."""

    learner: str
    exercise: str
    before: str
    after: str
    why: str
    checks: tuple[str, ...] = ()  # those that came out otherwise
    points: bool = False  # whether they moved
    weighs: bool = True  # whether anybody acts on it


def _moves(before: Gradebook, after: Gradebook) -> Iterator[Move]:
    """Every mark that moved, learner by learner."""
    earlier, later = set(before.learners()), set(after.learners())
    for learner in sorted(earlier | later):
        if learner not in earlier or learner not in later:
            states = ("no submission", "a submission")
            known = "handed in in the second"
            if learner in earlier:
                states, known = states[::-1], f"not {known}"
            yield Move(learner, "", *states, known)
            continue
        old, new = (
            {
                entry.mark.name: entry
                for entry in book.entries(learner)
                if not after.chapters or entry.mark.chapter in after.chapters
            }
            for book in (before, after)
        )
        set_before, set_after = before.by_hand(learner), after.by_hand(learner)
        for name in dict.fromkeys([*old, *new]):
            if name not in old or name not in new:
                states = _state(old.get(name)), _state(new.get(name))
                yield Move(learner, name, *states, "the syllabus", points=True)
            elif _said(old[name].mark) != _said(new[name].mark):
                first, second = old[name], new[name]
                given = [held.get((learner, name), ByHand()) for held in (set_before, set_after)]
                why = _set_by_hand(first, second, *given) or _why(first, second)
                states = _state(first), _state(second)
                moved, weighs = _weight(first.mark, second.mark)
                yield Move(learner, name, *states, why, _checks(first, second), moved, weighs)


@commands.command()
def diff(
    before: Annotated[Path, typer.Argument(help="A folder that `grader grade --out` wrote.")],
    after: Annotated[Path, typer.Argument(help="Another one.")],
) -> None:
    """Show whose marks moved from one gradebook to another, and why."""
    with Gradebook.open(before) as old, Gradebook.open(after) as new:
        moves = [*_moves(old, new)]
        for move in moves:
            if move.weighs:
                what = f" {move.exercise}" if move.exercise else ""
                line = f"{name_of(move.learner)}{what}: {move.before} → {move.after}; {move.why}"
                say("\n    ".join([line, *move.checks]))
        say(_in_all(moves))
        if old.fact("seed") != new.fact("seed"):
            say(f"Their seeds differ: {old.fact('seed')} and {new.fact('seed')}.")
        for book in (old, new):
            standing = book.standing()
            for remark in (*incomplete(standing), *waiting(standing)):
                say(f"{book.path}: {remark}")


def _in_all(moves: Sequence[Move]) -> str:
    """Of how many learners points moved, or else a verdict; who is in one gradebook alone."""
    alone = {move.learner for move in moves if not move.exercise}
    points = {move.learner for move in moves if move.points}
    others = {move.learner for move in moves if move.weighs} - points - alone
    told = [
        text.format(count(len(learners), "learner"))
        for text, learners in (
            ("points of {}", points),
            ("a verdict alone of {}", others),
            ("{} in one gradebook alone", alone),
        )
        if learners
    ]
    said = f"Moved: {'; '.join(told)}." if told else "No mark moved."
    if left := sum(not move.weighs for move in moves):
        only = "only what it carries, or the word for an answer never begun, is another"
        said += f" Not shown: {count(left, 'mark')} of which {only}."
    return said


def _weight(old: Mark, new: Mark) -> tuple[bool, bool]:
    """Whether the points moved, and whether that or the verdict is something to act on."""
    moved = (old.points, old.max_points) != (new.points, new.max_points)
    begun = not {old.verdict, new.verdict} <= {*NOT_BEGUN}
    return moved, moved or (begun and old.verdict is not new.verdict)


def _state(entry: Entry | None) -> str:
    if entry is None:
        return "not an exercise"
    mark = entry.mark
    carried = f", carried by {', '.join(mark.carried)}" if mark.carried else ""
    return f"{mark.verdict}, {points(mark.points)} of {points(mark.max_points)}{carried}"


def _said(mark: Mark) -> tuple[object, ...]:
    return mark.verdict, mark.points, mark.max_points, mark.carried


def _set_by_hand(old: Entry, new: Entry, first: ByHand, second: ByHand) -> str:
    """What a person has done about the points; empty where that is the same in both."""
    if first.override == second.override:
        return ""
    if second.override is None:
        return f"set by hand no longer; before: {one_line(old.mark.by_hand)}"
    what = "points set by hand wait" if second.waits else "set by hand"
    return f"{what}: {one_line(new.mark.by_hand)}"


def _why(old: Entry, new: Entry) -> str:
    code, settings = old.code != new.code, old.settings != new.settings
    if not old.settings or not new.settings:
        return "the grader could not mark it once"
    if code and settings:
        return "the learner's code and what judges it have changed"
    if code:
        return "the learner's code has changed"
    if settings:
        return "what judges it has changed (grader, course, limits, seed, Python or its packages)"
    return "neither the code nor what judges it has changed: the code gives different answers"


def _checks(old: Entry, new: Entry) -> tuple[str, ...]:
    """Those that came out otherwise; of a mark without any there is nothing to compare."""
    if not old.mark.checks or not new.mark.checks:
        return ()
    first = {check.title: check for check in old.mark.checks}
    second = {check.title: check for check in new.mark.checks}
    changes = []
    for title in dict.fromkeys([*first, *second]):
        was = first[title].outcome if title in first else None
        now = second[title].outcome if title in second else None
        if was is not now:
            change = f"{one_line(title)} {was or 'not there'} → {now or 'not there'}"
            if title in second and now is not CheckOutcome.PASSED:
                change += f" ({one_line(second[title].message, 160)})"
            changes.append(change)
    return tuple(changes)
