"""Says why nothing was found, and which files were passed over; opens none, and runs nothing."""

from collections.abc import Collection, Iterable, Sequence

from .file_names import printable

_NAMED = 5
_LIKE_WORK = (
    "may be work, and not read: what is read ends in .ipynb or .py, and neither it nor its folder "
    "begins with a dot; if it is meant to count, give it such a name, and hand it in again"
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


def _listed(names: Sequence[str]) -> str:
    shown = dict.fromkeys(printable(name, 60) for name in names)  # cut, many may be the same
    return ", ".join([*shown][:_NAMED])
