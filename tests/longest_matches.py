"""Writes texts that a pattern matches, whose groups hold as much of a secret as can be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle
from typing import Any

_parser: Any = re._parser  # type: ignore[attr-defined]
_MOST = 80  # characters of what may be repeated without end
_BRANCHES = 6


def longest_matches(pattern: str, letters: str, digits: str) -> Iterator[str]:
    """One text for each way through its branches; words are of these letters, numbers of these."""
    for branch in range(_BRANCHES):
        text = _Writer(letters, digits, branch).text(_parser.parse(pattern))
        if re.search(pattern, text):
            yield text


class _Writer:
    def __init__(self, letters: str, digits: str, branch: int) -> None:
        self._letters, self._digits, self._branch = letters, cycle(digits), branch
        self._groups: dict[int, str] = {}

    def text(self, parts: Any) -> str:
        return "".join(self._part(repr(kind), value) for kind, value in parts)

    def _part(self, kind: str, value: Any) -> str:
        match kind:
            case "LITERAL":
                return chr(value)
            case "ANY" | "NOT_LITERAL":
                return "x"
            case "IN":
                return self._repeated(value, 1)
            case "BRANCH":
                return self.text(value[1][self._branch % len(value[1])])
            case "SUBPATTERN":
                found = self.text(value[3])
                self._groups[value[0]] = found
                return found
            case "GROUPREF":
                return self._groups[value]
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, inner = value
                count = _MOST if most == _parser.MAXREPEAT else max(least, min(most, 1))
                ((first, what),) = inner if len(inner) == 1 else ((None, None),)
                if repr(first) == "IN":
                    return self._repeated(what, count)
                return self.text(inner) * (least or 1)
        return ""  # where it begins or ends, and what may not follow

    def _repeated(self, choices: Any, count: int) -> str:
        """So many characters of a set: as a word, as a number, or as sizes in brackets."""
        kinds = {
            repr(value) if repr(kind) == "CATEGORY" else _first(value) for kind, value in choices
        }
        if "CATEGORY_WORD" in kinds:
            return (self._letters * count)[:count]
        if "CATEGORY_DIGIT" in kinds and "," in kinds:
            sizes = ["".join(next(self._digits) for _ in range(6)) for _ in range(count // 8)]
            return ", ".join(sizes)
        if "CATEGORY_DIGIT" in kinds:
            return "".join(next(self._digits) for _ in range(count))
        return sorted(kinds)[0] * count


def _first(value: Any) -> str:
    """Of a range the first character."""
    return chr(value[0] if isinstance(value, tuple) else value)
