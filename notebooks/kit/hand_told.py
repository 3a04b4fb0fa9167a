"""Carries what a page of arrows says to the kernel that made it; knows no arrow and no puzzle."""

from itertools import count
from typing import Any, Protocol
from weakref import WeakValueDictionary

from kit import kernel_channel

TARGET = "course.hand"
SCRIPT = (
    kernel_channel.SCRIPT
    + """
window.courseTell = (box, data) =>
  window.courseOpen(box.dataset.kernel, "course.hand", data, () => {}, () => {});
"""
)


class Listens(Protocol):
    """What is told."""

    def told(self, solved: Any) -> None:
        """What the page says is solved now."""


_number = count(1)
_kept: WeakValueDictionary[str, Listens] = WeakValueDictionary()


def keep(hand: Listens) -> str:
    """The name under which a page speaks of it."""
    kernel_channel.listen(TARGET, _take)
    key = f"hand-{next(_number)}"
    _kept[key] = hand
    return key


def kernel() -> str:
    """Whom the page tells; empty where nobody hears it."""
    return kernel_channel.kernel_id()


def _take(data: dict[str, Any]) -> None:
    hand = _kept.get(str(data.get("hand")))
    solved = data.get("solved")
    if hand is not None and isinstance(solved, list):
        hand.told(solved)
