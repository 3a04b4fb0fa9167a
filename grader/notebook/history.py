"""Looks in IPython's history for a newer definition that failed; sees nothing that was not run."""

import ast
import re
from collections.abc import Mapping
from typing import Any

from ..worker.namespace import cell_number, running_shell
from .reading import code

_NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)


def older_definition(name: str, value: Any, names: Mapping[str, Any]) -> str:
    """What to say where `value` is older than the last input that would define this exercise.

    `names` are those of the notebook. Empty where it is the newest, or where nobody can tell.
    """
    shell, own = running_shell(), code(value)
    cell = cell_number(own.co_filename) if own is not None else None
    if shell is None or cell is None or names.get(name) is not value:
        return ""
    inputs = tuple(shell.history_manager.input_hist_parsed)
    for number in range(min(shell.execution_count, len(inputs)) - 1, cell, -1):
        if re.search(rf"\b{name}\s*=[^=]", inputs[number]):
            return ""  # perhaps the older one was wanted back
        if why := _why_not_defined(inputs[number], name):
            return (
                f"This is about an older {name}, from In [{cell}]. In [{number}] defines a newer "
                f"one, but {why}: fix that cell and run it again."
            )
    return ""


def _why_not_defined(text: str, name: str) -> str:
    """Why an input that would define this name has not; empty for any other input."""
    try:
        body = ast.parse(text).body
    except _NO_PYTHON:
        written = re.search(rf"^(async\s+)?(def|class)\s+{name}\b", text, re.MULTILINE)
        return "does not parse" if written else ""
    kinds = (ast.FunctionDef, ast.ClassDef)
    defines = any(isinstance(each, kinds) and each.name == name for each in body)
    return "ended in an error before it got there" if defines else ""
