"""Says why nothing was found, and which files were passed over; opens none, and runs nothing."""

from collections.abc import Collection, Iterable, Sequence

from .file_names import printable
from .statements import Broken

_NAMED = 5
_LIKE_WORK = (
    "may be work, and not read: what is read ends in .ipynb or .py, and neither it nor its folder "
    "begins with a dot; if it is meant to count, give it such a name, and hand it in again"
)
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


def nothing(names: Sequence[str]) -> str:
    """Why there is no code, and what to do."""
    held = f"only {_listed(names)}" if names else "nothing"
    return f"No code was found: this holds {held}; hand in the notebooks (.ipynb) themselves."


def like_work(passed_over: Iterable[str], read: Collection[str]) -> list[str]:
    """A line of those that may be work; an editor's `x.py~` of what was read is none."""
    names = [name for name in passed_over if name.removesuffix("~") not in read]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return [f"{_listed(names)}{more}: {_LIKE_WORK}"] if names else []


def nothing_else(broken: Broken) -> str:
    """Of a cell that may have held the only exercise."""
    return _ALONE.format(first=broken)


def nothing_named(broken: Sequence[Broken], reads: bool) -> str:
    """Of code that names no exercise; `reads`: whether Python could read any of it."""
    if not broken:
        return _EMPTY_HANDED
    more = f"; and {len(broken) - 1:,} more" if len(broken) > 1 else ""
    return (_PART_READ if reads else _NONE_READ).format(first=broken[0], more=more)


def _listed(names: Sequence[str]) -> str:
    shown = dict.fromkeys(printable(name, 60) for name in names)  # cut, many may be the same
    return ", ".join([*shown][:_NAMED])
