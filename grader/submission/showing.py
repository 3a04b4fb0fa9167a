"""Bounds what is shown of a learner's code, exercise by exercise; what counts is all of it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from .isolation import Unit

_MOST, _LINES = 20_000, 600  # characters as they are shown, and lines, of one exercise
_AGAIN = 60_000  # characters, of one learner, of what was shown with an earlier exercise
_IDLE, _LEFT = 20, 5  # lines in a row that do nothing: more are cut, and so many of them stay
# No line of these runs, were it in a text with fields in it.
_NOTHING = re.compile(r"[ \t\f]*(?:#[^{]*)?")
_HIDDEN = 10  # characters for one that does not show, such as \U000e0001

_BELOW = f"# … what follows is not shown here: {_LINES:,} lines and {_MOST:,} characters are"
_IDLE_LINES = "# … {:,} lines of comments, and blank ones, are not shown here"
_SEEN = "# … shown with an earlier exercise"


@dataclass
class Showing:
    """What was shown so far of one learner, whose exercises come one after the other."""

    _seen: set[tuple[str, int]] = field(default_factory=set)  # where units begin
    _again: int = _AGAIN

    def of(self, units: Sequence[Unit]) -> tuple[Unit, ...]:
        """The code of one exercise as it is to be shown: each line has its number.

        What comes last, as its definition does, is sure to be there.
        """
        shown: list[Unit] = []
        left, lines = _MOST, _LINES
        for unit in reversed(units):
            is_known = (unit.label, unit.line) in self._seen
            self._seen.add((unit.label, unit.line))
            pieces = []
            for piece in _without_idle(unit):
                most = min(left, self._again) if is_known else left
                cut = _cut(piece, most, lines, _SEEN if most < left else _BELOW)
                pieces.append(cut)
                cost = _cost(cut.code)
                left, lines = left - cost, lines - cut.code.count("\n") - 1
                self._again -= cost if is_known else 0
                if cut is not piece:
                    break
            shown = [*pieces, *shown]
            if left <= 0 or lines <= 0:
                break
        return tuple(shown)


def _without_idle(unit: Unit) -> Iterator[Unit]:
    """The pieces of a unit around long stretches that do nothing, which a line stands for."""
    lines = unit.code.split("\n")
    begun, idle = 0, 0  # where the piece begins, and how many lines up to here do nothing
    for at, line in enumerate([*lines, None]):
        if line is not None and _NOTHING.fullmatch(line):
            idle += 1
            continue
        if idle > _IDLE:
            kept = lines[begun : at - idle + _LEFT]
            told = _IDLE_LINES.format(idle - _LEFT)
            yield replace(unit, code="\n".join([*kept, told]), line=unit.line + begun)
            begun = at
        idle = 0
    if begun < len(lines):
        yield (
            replace(unit, code="\n".join(lines[begun:]), line=unit.line + begun) if begun else unit
        )


def _cut(piece: Unit, most: int, lines: int, told: str) -> Unit:
    """The piece itself where there is room for it, or so many lines of it and what is told then."""
    kept: list[str] = []
    all_lines = piece.code.split("\n")
    for line in all_lines:
        room, most = most, most - _cost(line)
        if most < 0 or len(kept) >= lines:
            if room > 0 and len(kept) < lines:
                kept.append(f"{line[: room if line.isprintable() else room // _HIDDEN]}…")
            break
        kept.append(line)
    if len(kept) == len(all_lines):
        return piece
    return replace(piece, code="\n".join([*kept, told]))


def _cost(text: str) -> int:
    """About how many characters it takes to show a text."""
    if text.isascii() and text.isprintable():
        return len(text) + 1
    hidden = sum(not each.isprintable() and each not in "\n\t" for each in text)
    return len(text) + 1 + (_HIDDEN - 1) * hidden
