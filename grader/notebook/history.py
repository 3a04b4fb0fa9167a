"""Looks in IPython's history for a newer definition that failed; sees nothing that was not run."""

import ast
import re
from collections.abc import Mapping
from typing import Any

from ..worker.namespace import cell_number, running_shell
from .cards import Notice
from .reading import file

_LONGEST = 200
_NO_PARSE = "does not parse"


def failed_definition(name: str, value: Any, names: Mapping[str, Any]) -> Notice | None:
    """What to say where `value` is older than the last input that would define this exercise.

    `names` are those of the notebook. None where it is the newest, or where nobody can tell.
    """
    shell, cell = running_shell(), cell_number(file(value))
    if shell is None or names.get(name) is not value:
        return None
    inputs = tuple(shell.history_manager.input_hist_parsed)
    for number in range(min(shell.execution_count, len(inputs)) - 1, cell or 0, -1):
        if re.search(rf"\b{name}\s*=[^=]", inputs[number]):
            return None  # perhaps the older one was wanted back
        why = _why_not_defined(inputs[number], name)
        if why and (cell is not None or why[0] == _NO_PARSE):
            return Notice(f"In [{number}] {why[0]}", (*why[1:], _left(name, cell)))
        if cell is None and _is_written(inputs[number], name):
            return None
    return None


def _left(name: str, cell: int | None) -> str:
    where = "" if cell is None else f", from In [{cell}]"
    return f"Nothing was judged: until then, `{name}` is the older one{where}."


def _why_not_defined(text: str, name: str) -> tuple[str, ...]:
    """Why an input that would define this name has not; nothing for any other input."""
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        if not _is_written(text, name):
            return ()
        return _NO_PARSE, *_place(text, error), "Fix that cell and run it again."
    except (ValueError, RecursionError, MemoryError):
        return (_NO_PARSE,) if _is_written(text, name) else ()
    kinds = (ast.FunctionDef, ast.ClassDef)
    defines = any(isinstance(each, kinds) and each.name == name for each in body)
    why = "Read the error below that cell, fix it and run the cell again."
    return (f"ended in an error before it got to {name}", why) if defines else ()


def _is_written(text: str, name: str) -> bool:
    return bool(re.search(rf"^(async\s+)?(def|class)\s+{name}\b", text, re.MULTILINE))


def _place(text: str, error: SyntaxError) -> tuple[str, ...]:
    """What Python says of it, and the line with a mark below."""
    lines, line = text.split("\n"), error.lineno or 0
    if not 0 < line <= len(lines):
        return (f"Python says: {error.msg}.",)
    shown = lines[line - 1].rstrip()
    at = max(0, min((error.offset or 1) - 1, len(shown)))
    fence = (
        f"    {shown[:_LONGEST]}\n    {' ' * at}^" if at < _LONGEST else f"    {shown[:_LONGEST]}"
    )
    return f"Line {line}: {error.msg}.", fence
