"""Shows pairs of learners whose code is alike, in a terminal and as one page; finds none."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..candidate.message import Place
from ..submission import Unit
from . import wording
from .code import marked_panel
from .likeness import Alike, Pair
from .pages import whole_page
from .text import count, name_of, visible

PROVES_NOTHING = (
    "This proves nothing: a task this small has few good answers, and people who learn together "
    "write alike. Read the code, and ask both to explain theirs."
)
_TITLE = "Code that is alike"
_MOST = 40  # that a terminal shows


@dataclass(frozen=True)
class Side:
    """One learner's answer, and its lines that the other has too."""

    units: tuple[Unit, ...]
    shared: set[Place]


@dataclass(frozen=True)
class Beside:
    """One exercise that two learners answer alike, side by side."""

    alike: Alike
    sides: tuple[Side, Side]


@dataclass(frozen=True)
class ShownPair:
    """A pair with the code of what is alike; without it where only the names are shown."""

    pair: Pair
    exercises: tuple[Beside, ...] = ()


def show_pairs(console: Console, learners: int, pairs: Sequence[Pair]) -> None:
    """Who is alike where, the likeliest copies first; of many pairs the first."""
    console.print(Text(_found(learners, len(pairs))), soft_wrap=True)
    if not pairs:
        return
    console.print(Text(PROVES_NOTHING), soft_wrap=True)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("learner", "learner", "alike in"):
        table.add_column(head, overflow="fold")
    for pair in pairs[:_MOST]:
        table.add_row(*(Text(name_of(each)) for each in pair.learners), Text(_places(pair)))
    console.print(table)
    if len(pairs) > _MOST:
        console.print(Text(f"and {count(len(pairs) - _MOST, 'more pair')}"))


def show_beside(console: Console, shown: ShownPair) -> None:
    """The code of one pair; lines that both have begin with =."""
    for each in shown.exercises:
        names = [f"{name_of(learner)}: {each.alike.exercise}" for learner in shown.pair.learners]
        table = Table(pad_edge=False, expand=True)
        for name in names:
            table.add_column(Text(name), ratio=1)
        for row in zip_longest(*(_lines(side) for side in each.sides), fillvalue=Text()):
            table.add_row(*row)
        console.print(table)


def similar_page(learners: int, pairs: Sequence[ShownPair], left_out: int) -> str:
    """All of it as one page that needs nothing beside it."""
    return whole_page(
        "similar.html",
        _TITLE,
        found=_found(learners, len(pairs) + left_out),
        proves_nothing=PROVES_NOTHING if pairs else "",
        pairs=pairs,
        left_out=left_out,
        name_of=name_of,
        places=_places,
        share=_share,
        panel=lambda side: marked_panel(
            [(unit.label, unit.line, unit.code) for unit in side.units], side.shared
        ),
    )


def _found(learners: int, pairs: int) -> str:
    told = f"{count(pairs, 'pair')} {'is' if pairs == 1 else 'are'}" if pairs else "no two are"
    return (
        f"Of {count(learners, 'submission')}, {told} alike beyond what the course gives, its "
        "solution, and what most of the class share."
    )


def _places(pair: Pair) -> str:
    ranked = sorted(pair.exercises, key=lambda each: -each.weight)
    return wording.some([f"{each.exercise} {_share(each)}" for each in ranked])


def _share(alike: Alike) -> str:
    return f"{100 * alike.share:.0f} %"


def _lines(side: Side) -> Iterable[Text]:
    for unit in side.units:
        for number, line in enumerate(visible(unit.code).split("\n"), unit.line):
            is_shared = Place(unit.label, number) in side.shared
            yield Text(f"{'=' if is_shared else ' '} {line}", style="bold" if is_shared else "")
