"""What `check` and `hint` show, as HTML and as plain text; marks nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace

from ..candidate.records import CheckResult, Mark
from ..report import wording
from ..report.story import Story, story
from ..report.text import count, one_line, points, visible
from .passing import Earned


@dataclass(frozen=True)
class Next:
    """What a learner may do after a check."""

    hints: tuple[str, ...] = ()  # Markdown, of which each gives more than the one before
    given: int = 0  # how many of them are shown, the others being folded
    name: str = ""  # the exercise that comes next
    chapter: str = ""  # its chapter, where that is another one
    link: str = ""  # to it
    current: str = ""  # the number of the chapter that was worked on
    done: int = 0  # how many of its exercises have passed
    of: int = 0  # how many it has; 0 where nobody knows

    def lines(self, name: str) -> Iterator[str]:
        """The same in words."""
        if self.hints:
            yield f"Stuck? hint({name})"
        there = f" in chapter {self.chapter}" if self.chapter else ""
        if self.name:
            yield f"Next: {self.name}{there}"
        if self.of:
            yield f"Chapter {self.current}: {self.done} of {self.of}"


@dataclass(frozen=True, repr=False)
class Card:
    """One mark, with what there is to say of the code beside it and what the code printed.

    `more`, Markdown, is said in place of a question that has been asked before.
    """

    mark: Mark
    notes: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()  # lines that differ from each other
    lines_printed: int = 0  # all of them
    more: tuple[str, ...] = ()
    next: Next = field(default_factory=Next)
    earned: Earned | None = None  # once it has passed

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """The card as plain text."""
        mark, parts = self.mark, self._story()
        yield (
            f"{wording.SIGNS[mark.verdict]} {mark.name}: {mark.verdict}, "
            f"{points(mark.points)} of {points(mark.max_points)} points"
        )
        said, asked = (
            [f"{label} {sentence}" if label else sentence for label, sentence in pairs]
            for pairs in (parts.said, parts.asked)
        )
        where = [] if parts.where is None else [wording.located(parts.where)]
        earned = self.earned.lines() if self.earned else ()
        for text in (*self.notes, *earned, *said, *where):
            yield _indented(text, 2)
        for check in parts.leading:
            yield from _check_lines(check)
        for text in (*asked, *self.more, *parts.details):
            yield _indented(text, 2)
        if given := self.next.given:
            yield _indented(
                f"A hint ({given} of {len(self.next.hints)}): {self.next.hints[given - 1]}", 2
            )
        if parts.failed:
            yield f"  {parts.follows} {wording.THEY_ASK}"
            yield from (f"    {one_line(check.title)}" for check in parts.failed)
        if parts.waiting:
            yield _indented(wording.not_tried(parts.waiting), 2)
        for check in parts.passed:
            yield f"  {wording.titled(check)}"
        if self.printed:
            yield f"  {self._printed_title()}:"
            yield from (_indented(line, 6) for line in self.printed)
        if next_line := " · ".join(self.next.lines(mark.name)):
            yield f"  {next_line}"

    def _repr_html_(self) -> str:
        from ..report.render import render, style

        return render(
            "card.html",
            style=style("palette", "card"),
            mark=self.mark,
            told=self._story(),
            notes=self.notes,
            more=self.more,
            printed=self.printed,
            printed_title=self._printed_title(),
            next=self.next,
            earned=self.earned,
        )

    def _story(self) -> Story:
        whole = story(self.mark)
        if not self.more:
            return whole
        return replace(whole, asked=())

    def _printed_title(self) -> str:
        """How many lines there are, and how many of them are shown."""
        message = f"Your code printed {count(self.lines_printed, 'line')}"
        if self.lines_printed == len(self.printed):
            return message
        return f"{message}; here are the first that differ"


@dataclass(frozen=True, repr=False)
class LateCard(Card):
    """A card that a notebook shows at once, and anew in its place where a search has found more."""

    search: Callable[[Callable[[Mark], None]], None] = lambda tell: None

    def _ipython_display_(self) -> None:
        from IPython import get_ipython
        from IPython.display import display

        now = Card(**{each.name: getattr(self, each.name) for each in fields(Card)})
        shown = display(now, display_id=True)
        if shown is None:
            return
        # Of now: while a later check runs, what is displayed is its own code's.
        publisher, shown_as = get_ipython().display_pub, {"display_id": shown.display_id}

        def tell(mark: Mark) -> None:
            better = replace(now, mark=mark)
            data = {"text/plain": repr(better), "text/html": better._repr_html_()}
            publisher.publish(data=data, transient=shown_as, update=True)

        self.search(tell)


@dataclass(frozen=True, repr=False)
class Notice:
    """A few sentences, Markdown: a hint, or why there is nothing to check."""

    title: str
    lines: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([self.title, *(_indented(line, 2) for line in self.lines)])

    def _repr_html_(self) -> str:
        from ..report.render import render, style

        given = {"title": self.title, "lines": self.lines}
        return render("notice.html", style=style("palette", "card"), **given)


def _check_lines(check: CheckResult) -> Iterator[str]:
    yield f"  {wording.titled(check)}"
    if check.message:
        yield _indented(check.message, 6)
    rows = [
        (one_line(each.index), one_line(each.expected), one_line(each.got))
        for each in check.differences
    ]
    if not any(index for index, _, _ in rows):
        for _, expected, got in rows:
            yield f"      expected: {expected}"
            yield f"      yours:    {got}"
        return
    table = [("index", "expected", "yours"), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
        yield "      " + "  ".join(padded).rstrip()


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in visible(text).split("\n"))
