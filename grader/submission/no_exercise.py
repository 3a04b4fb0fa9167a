"""Says why nothing of what was read could be any exercise, and what to do; runs nothing."""

from collections.abc import Sequence

from .statements import Broken

_EMPTY_HANDED = (
    "None of the course's exercises is in it: is it the right notebook? Ask for the one of the "
    "course, as it was saved."
)
_ALONE = "{first}; as nothing else is in it, ask for one that runs"
_NONE_READ = "Python could read none of its cells: ask for one that runs. {first}{more}"
_PART_READ = (
    "None of the course's exercises is in the cells that Python could read, and some it could not: "
    "ask for one that runs. {first}{more}"
)


def nothing_else(broken: Broken) -> str:
    """Of a cell that may have held the only exercise."""
    return _ALONE.format(first=broken)


def nothing_named(broken: Sequence[Broken], reads: bool) -> str:
    """Of code that names no exercise; `reads`: whether Python could read any of it."""
    if not broken:
        return _EMPTY_HANDED
    more = f"; and {len(broken) - 1:,} more" if len(broken) > 1 else ""
    return (_PART_READ if reads else _NONE_READ).format(first=broken[0], more=more)
