"""Says which choice a measurement makes right, and how near a guess came; shows nothing."""

import math
import re
from collections.abc import Sequence

RIGHT, NEAR, WRONG, OPEN = "right", "near", "wrong", ""
NEAR_ENOUGH = 0.1  # of what was measured; of percentages, ten of them
# A comma is of thousands where all of its groups have three digits, else it is a decimal point.
_GROUPS = r"[1-9]\d{0,2}(?:,\d{3})+"
_DIGITS = rf"(?:{_GROUPS}(?!\d)(?:\.\d+)?|\d[\d_]*(?:[.,]\d+(?!\d|,\d))?|\.\d+)"
_NUMBER = re.compile(
    rf"(?:about |some |~)?\s*([-+−]?{_DIGITS}(?:e[-+]?\d+)?)(?:\s*/\s*({_DIGITS}))?\s*(%?)", re.I
)
_THOUSANDS = re.compile(rf"{_GROUPS}(?:\.\d+)?")


def right_choice(choices: Sequence[str], measured: str, told: str | None = None) -> str:
    """The choice that is told, that the measurement names, or whose number is the nearest to it.

    Empty where there are no choices, and where none of this tells one from the others.
    """
    if told is not None or not choices:
        return told or ""
    same = [choice for choice in choices if _names(measured, choice)]
    if same:
        return max(same, key=len)
    found = _number(measured)
    numbers = [_whole_number(choice) for choice in choices]
    if found is None or None in numbers:
        return ""
    gaps = [abs(number - found[0]) for number in numbers if number is not None]
    return choices[gaps.index(min(gaps))] if gaps.count(min(gaps)) == 1 else ""


def outcome(guess: str, right: str, measured: str) -> str:
    """Right or wrong by the right choice, else near or wrong by the numbers; open where unknown."""
    if not guess:
        return OPEN
    if right:
        return RIGHT if _plain(guess) == _plain(right) else WRONG
    if _plain(guess) == _plain(measured):
        return RIGHT
    mine, found = _number(guess), _number(measured)
    if mine is None or found is None:
        return OPEN
    if mine[0] == found[0]:
        return RIGHT
    allowed = 100 * NEAR_ENOUGH if found[1] else NEAR_ENOUGH * abs(found[0])
    return NEAR if abs(mine[0] - found[0]) <= allowed else WRONG


def _names(measured: str, choice: str) -> bool:
    """Whether a text is this choice, or begins with it as a word of its own."""
    text, wanted = _plain(measured), _plain(choice)
    return bool(wanted) and re.match(rf"{re.escape(wanted)}(?![\w.%-])", text) is not None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _whole_number(text: str) -> float | None:
    """The number that a choice is, with nothing else in it."""
    found = _NUMBER.fullmatch(text.strip())
    return _value(found) if found else None


def _number(text: str) -> tuple[float, bool] | None:
    """The number that a text begins with, and whether it is a percentage."""
    found = _NUMBER.match(text.strip())
    return (_value(found), found[3] == "%") if found else None


def _value(found: re.Match[str]) -> float:
    """What is written, a fraction too; nan for one over 0."""
    above, below = _read(found[1]), _read(found[2] or "1")
    return above / below if below else math.nan


def _read(text: str) -> float:
    text = text.replace("−", "-").replace("_", "")
    is_thousands = _THOUSANDS.fullmatch(text.lstrip("+-"))
    return float(text.replace(",", "" if is_thousands else "."))
