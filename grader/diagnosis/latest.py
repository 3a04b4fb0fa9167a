"""Keeps what was asked for last, so that memory does not grow with the class; knows no mark."""

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Latest(dict[Key, Value]):
    """A dict of at most so many entries: what was asked for last stays the longest."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __getitem__(self, key: Key) -> Value:
        value = self.pop(key)
        super().__setitem__(key, value)
        return value

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]
