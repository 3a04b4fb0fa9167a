"""Looks in IPython's history for a newer definition that failed; sees nothing that was not run."""

import ast
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from .reading import code


def older_definition(name: str, value: Any, names: Mapping[str, Any]) -> str:
    """What to say where `value` is older than the last input that would define this exercise.

    `names` are those of the notebook. Empty where it is the newest, or where nobody can tell.
    """
    inputs, current = _inputs()
    cell = _cell_of(value)
    if cell is None or names.get(name) is not value:
        return ""
    for number in range(min(current, len(inputs)) - 1, cell, -1):
        if re.search(rf"\b{name}\s*=[^=]", inputs[number]):
            return ""  # perhaps the older one was wanted back
        parses = _defines(inputs[number], name)
        if parses is None:
            continue
        why = "ended in an error before it got there" if parses else "does not parse"
        return (
            f"This is about an older {name}, from In [{cell}]. In [{number}] defines a newer one, "
            f"but {why}: mend that cell and run it again."
        )
    return ""


def _inputs() -> tuple[Sequence[str], int]:
    """What was run in this kernel, by number, and the number of what runs now."""
    shell = _shell()
    if shell is None:
        return (), 0
    return tuple(shell.history_manager.input_hist_parsed), shell.execution_count


def _cell_of(value: Any) -> int | None:
    """The number of the input whose code this is."""
    own = code(value)
    numbers = getattr(getattr(_shell(), "compile", None), "_filename_map", {})
    return None if own is None else numbers.get(own.co_filename)


def _defines(text: str, name: str) -> bool | None:
    """True where the input defines this name, False where it would if it parsed, None else."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        written = re.search(rf"^(async\s+)?(def|class)\s+{name}\b", text, re.MULTILINE)
        return False if written else None
    kinds = (ast.FunctionDef, ast.ClassDef)
    return True if any(isinstance(each, kinds) and each.name == name for each in body) else None


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None
