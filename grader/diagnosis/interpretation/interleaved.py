"""Orders in which to go through several sources of readings; knows nothing of what they are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


class Replay(Generic[T]):
    """An iterator's items, made as far as asked for, and kept."""

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._kept: list[T] = []

    def at(self, index: int) -> T | None:
        """The item at a place; None behind the last."""
        self._kept += islice(self._source, max(0, index + 1 - len(self._kept)))
        return self._kept[index] if index < len(self._kept) else None

    def __iter__(self) -> Iterator[T]:
        for index in itertools.count():
            item = self.at(index)
            if item is None:
                return
            yield item


def in_turns(sources: Sequence[Iterator[T]], at_once: int) -> Iterator[T]:
    """`at_once` items of each source, then as many more of each, to the end."""
    left = list(sources)
    while left:
        for source in list(left):
            some = list(islice(source, at_once))
            yield from some
            if len(some) < at_once:
                left.remove(source)


def by_sum(sources: Sequence[Replay[T]]) -> Iterator[tuple[int, T]]:
    """Items with their source's place, those first whose two places are early together."""
    ended: set[int] = set()
    total = 0
    while len(ended) < len(sources):
        for place in range(min(total + 1, len(sources))):
            if place in ended:
                continue
            item = sources[place].at(total - place)
            if item is None:
                ended.add(place)
            else:
                yield place, item
        total += 1
