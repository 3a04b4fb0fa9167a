"""What is shown where an object could be looked at and nobody can mark it; marks nothing."""

from .cards import Notice


class Unmarked(Exception):
    """There is no mark; `notice` says what is known instead."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(notice.title)
        self.notice = notice
