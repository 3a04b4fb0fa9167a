"""Reads the attacks in tests/attacks/wall/: functions whose docstring says how each must end."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_CASES = Path(__file__).parent / "attacks" / "wall"
PRELUDE = (_CASES / "prelude.py").read_text()
# "crashed", "value = 3", "timeout; within 0.3 s", "value|protocol; then protocol"
_DOCSTRING = re.compile(
    r"(?P<ends>[a-z_|]+)( = (?P<value>[^;]+))?"
    r"(; within (?P<seconds>[\d.]+) s)?(; then (?P<then>[a-z_|]+))?"
)


@dataclass(frozen=True)
class Attack:
    """The source of one function and how a call of it must end.

    An end is a problem's kind, a death's kind or "value"; `seconds` is the time an answer may take;
    `then` is how a harmless call ends that comes after it, in a worker that is still alive.
    """

    name: str
    code: str
    ends: tuple[str, ...]
    value: Any
    seconds: float
    then: tuple[str, ...]


def _read(path: Path) -> list[Attack]:
    source = path.read_text()
    found = []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        says = _DOCSTRING.fullmatch(ast.get_docstring(node) or "")
        assert says, f"{path.name}, {node.name}: how must it end?"
        found.append(
            Attack(
                name=f"{path.stem}: {node.name}",
                code=f"{PRELUDE}\n{ast.get_source_segment(source, node)}\nf = {node.name}\n",
                ends=tuple(says["ends"].split("|")),
                value=ast.literal_eval(says["value"]) if says["value"] else None,
                seconds=float(says["seconds"] or 30),
                then=tuple((says["then"] or "value").split("|")),
            )
        )
    return found


_FILES = [path for path in sorted(_CASES.glob("*.py")) if path.stem != "prelude"]
ATTACKS = [attack for path in _FILES for attack in _read(path)]
