"""What `check` and `hint` show, as HTML and as plain text; marks nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from ..candidate.records import Mark
from ..report.plain import indented, mark_lines
from ..report.story import story
from ..report.text import count
from .passing import Earned

# Has what it is given called later with a mark that tells more, if more is found.
Search = Callable[[Callable[[Mark], None]], None]


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

    `more`, Markdown, is said in place of a question that has been asked before. With
    a `search` a notebook shows the card at once, and anew in its place where more was found.
    """

    mark: Mark
    notes: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()  # lines that differ from each other
    lines_printed: int = 0  # all of them
    more: tuple[str, ...] = ()
    next: Next = field(default_factory=Next)
    earned: Earned | None = None  # once it has passed
    search: Search | None = None

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """The card as plain text."""
        earned = self.earned.lines() if self.earned else ()
        given, hints = self.next.given, self.next.hints
        hint = f"A hint ({given} of {len(hints)}): {hints[given - 1]}" if given else ""
        yield from mark_lines(self.mark, (*self.notes, *earned), self.more, hint)
        if self.printed:
            yield f"  {self._printed_title()}:"
            yield from (indented(line, 6) for line in self.printed)
        if next_line := " · ".join(self.next.lines(self.mark.name)):
            yield f"  {next_line}"

    def _repr_html_(self) -> str:
        from ..report.render import render, style

        told = story(self.mark)
        return render(
            "card.html",
            style=style("palette", "card"),
            mark=self.mark,
            told=replace(told, asked=()) if self.more else told,
            notes=self.notes,
            more=self.more,
            printed=self.printed,
            printed_title=self._printed_title(),
            next=self.next,
            earned=self.earned,
        )

    def _ipython_display_(self) -> None:
        if self.search is None:
            raise NotImplementedError  # shown as any other object
        from IPython import get_ipython
        from IPython.display import display

        now = replace(self, search=None)
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

    def _printed_title(self) -> str:
        """How many lines there are, and how many of them are shown."""
        message = f"Your code printed, or was warned of, {count(self.lines_printed, 'line')}"
        if self.lines_printed == len(self.printed):
            return message
        return f"{message}; here are the first that differ"


@dataclass(frozen=True, repr=False)
class Notice:
    """A few sentences, Markdown: a hint, or why there is nothing to check."""

    title: str
    lines: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([self.title, *(indented(line, 2) for line in self.lines)])

    def _repr_html_(self) -> str:
        from ..report.render import render, style

        given = {"title": self.title, "lines": self.lines}
        return render("notice.html", style=style("palette", "card"), **given)
