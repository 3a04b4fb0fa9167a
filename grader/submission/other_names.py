"""Says where an answer may stand that nothing reads: under another name, or in a comment."""

import re
from collections.abc import Callable, Iterable, Iterator

from ..handed_in.notebook_io import Cell
from .near_names import is_near
from .notebooks import is_course
from .slicing import Slice

_DEFINED = re.compile(r"^(?:def|class)[ \t]+(\w+)[ \t]*[(:]", re.MULTILINE)
# A definition in a comment, with the lines of comment below it.
_COMMENTED = re.compile(
    r"^[ \t]*#[ \t]*(?:def|class)[ \t]+(\w+)[ \t]*[(:].*\n((?:[ \t]*#.*(?:\n|\Z))*)", re.MULTILINE
)
_DOES = re.compile(r"\breturn\b|=|\bself\b")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Of a name that says what is done with an exercise.
_ABOUT = frozenset(["test", "tests", "check", "plot", "draw", "show", "demo", "compare", "print"])
_MOST = 1_000  # definitions that are compared; the whole course has fewer
_OTHER = (
    "{label}: {found} may be the answer to {name}, which {state}; call it {name}, and hand it in "
    "again"
)
_OUT = "{label}: holds {name} in a comment, and it {state}; take the # away, and hand it in again"


def other_names(
    cells: Iterable[Cell],
    exercises: frozenset[str],
    slice_of: Callable[[str], Slice | None],
    stands_alone: Callable[[str], bool],
) -> list[str]:
    """A line for each exercise that has no answer and may have one so, in words to act on.

    Nothing is parsed where no name is like an exercise's. What an answer to another exercise calls
    is that one's, unless the notebook asks for this one too.
    """
    own = [each for each in cells if not any(map(is_course, each.notebook.split("/")[:-1]))]
    said: dict[str, str] = {}
    for cell, found, name in _found(own, exercises):
        cut = slice_of(name)
        if (cut and (cut.broken or not cut.is_stub)) or not stands_alone(name):
            continue
        is_asked = cut is not None or any(
            re.search(rf"\bcheck\(\s*{name}\b", each.source) for each in own
        )
        if found != name and not is_asked and _is_used(found, exercises, slice_of):
            continue
        state = "is still the stub" if cut else "is defined nowhere"
        says = _OTHER if found != name else _OUT
        said[name] = says.format(label=cell.label, found=found, name=name, state=state)
    return [*said.values()]


def _found(cells: Iterable[Cell], exercises: frozenset[str]) -> Iterator[tuple[Cell, str, str]]:
    """Each definition that may be meant for an exercise, and for which; in comments its own."""
    by_words = {name: _words(name) for name in exercises}
    left = _MOST
    for cell in cells:
        for name, body in _COMMENTED.findall(cell.source):
            if name in exercises and _DOES.search(body):
                yield cell, name, name
        for found in _DEFINED.findall(cell.source):
            left -= found not in exercises
            words = _words(found)
            if left < 0 or found in exercises or _ABOUT.intersection(words.split()):
                continue
            like = [name for name, own in by_words.items() if own == words] or [
                name
                for name, own in by_words.items()
                if f" {own} " in f" {words} " or is_near(found, name)
            ]
            if like:
                yield cell, found, max(like, key=lambda name: (len(name), name))


def _words(name: str) -> str:
    """`my_softmax2` and `MySoftmax` are "my softmax"."""
    return " ".join(_WORDS.findall(name)).lower()


def _is_used(
    found: str, exercises: frozenset[str], slice_of: Callable[[str], Slice | None]
) -> bool:
    """Whether an exercise's own code calls it."""
    cuts = filter(None, map(slice_of, sorted(exercises)))
    return any(re.search(rf"\b{found}\b", unit.code) for cut in cuts for unit in cut.written)
