"""What a check of an object in a kernel came to, a mark or none; knows not who marked it."""

from dataclasses import dataclass

from ..candidate.records import Mark
from .cards import Notice, Search


@dataclass(frozen=True)
class Checked:
    """What came of checking an object of this process."""

    mark: Mark
    is_lent: bool = False  # the reference did the work
    code: str = ""  # the text that was marked, where that is known
    printed: tuple[str, ...] = ()  # the lines that differ
    lines_printed: int = 0  # all of them
    remark: str = ""  # of the state of this kernel
    ways: tuple[tuple[str, str], ...] = ()  # titles and code of what is right too, once it passed
    search: Search | None = None


class Unmarked(Exception):
    """There is no mark; `notice` says what is known instead."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(notice.title)
        self.notice = notice
