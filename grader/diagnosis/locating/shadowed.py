"""Which line gives a part the name of a method that every module has; knows no exercise."""

import ast
from collections.abc import Iterator

from torch import nn

from .exceptions import Raised
from .idle_lines import parsed
from .recording import RecordedStatement, Recording


def shadowed(one: Raised, made: Recording | None) -> tuple[RecordedStatement, str] | None:
    """The line that gives a part the name of a method that every module has, and the name.

    Where the line that raised calls it: that finds the method, as parts are looked for last.
    """
    if made is None:
        return None
    plain = {name for event in made.events for name in event.writes}
    for name in _called(one.statement.source):
        makers = [each for each in made.statements if name in each.sets and name not in plain]
        method = name.removeprefix("self.")
        if makers and method != name and callable(getattr(nn.Module, method, None)):
            return makers[-1], method
    return None


def _called(source: str) -> Iterator[str]:
    """Names, and parts of self, that a statement calls."""
    tree = parsed(source)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)
