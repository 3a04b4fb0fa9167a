"""A bar that says how far a loop is, in blocks and in words; it trains nothing."""

from collections.abc import Iterator

from IPython.display import display

WIDE = 30  # blocks
OFTEN = 40  # updates in all


class Progress:
    """`for step in progress:` counts to `count`; `progress.say("loss 2.3")` adds words."""

    def __init__(self, count: int, what: str = "step") -> None:
        self.count, self.what, self.words = count, what, ""

    def say(self, words: str) -> None:
        """What to show from the next update on."""
        self.words = words

    def line(self, done: int) -> str:
        """The bar as text, such as ███░░░ step 50 of 100 · loss 2.3"""
        full = WIDE * done // self.count
        told = f"{'█' * full}{'░' * (WIDE - full)} {self.what} {done} of {self.count}"
        return f"{told} · {self.words}" if self.words else told

    def __iter__(self) -> Iterator[int]:
        shown = display(Line(self.line(0)), display_id=True)
        for step in range(self.count):
            yield step
            if shown and ((step + 1) % max(1, self.count // OFTEN) == 0 or step + 1 == self.count):
                shown.update(Line(self.line(step + 1)))


class Line:
    """Text that is shown without quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text
