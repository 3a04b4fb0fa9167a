"""Keeps the objects that are made from a learner's code, by handles; knows nothing of them."""

from typing import Any

MAX_OBJECTS = 10_000
LAST = 0  # the handle of whatever was made last


class KeptObjects:
    """What was made, and what was there before the learner's code was changed."""

    def __init__(self) -> None:
        self._kept: dict[int, Any] = {}
        self._before: dict[int, Any] = {}
        self._made = 0
        self._last: int | None = None

    def keep(self, thing: Any) -> int:
        """The handle under which it is kept. Raises MemoryError where there are too many."""
        if len(self._kept) >= MAX_OBJECTS:
            raise MemoryError(f"more than {MAX_OBJECTS:,} objects are kept")
        self._made += 1
        self._last = self._made
        self._kept[self._made] = thing
        return self._made

    def at(self, handle: int) -> Any:
        """What is kept under a handle. Raises LookupError where nothing is."""
        handle = self._last if handle == LAST and self._last is not None else handle
        if handle not in self._kept:
            raise LookupError(f"there is no object {handle!r} in this worker")
        return self._kept[handle]

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()

    def mark(self) -> None:
        """What is kept now is what `back` leaves."""
        self._before = dict(self._kept)

    def back(self) -> None:
        """Forget what was made since `mark`."""
        self._kept = dict(self._before)
        self._last = None
