"""Counts how often definitions loop and are called, to stop what may never end; judges none."""

import ast
from typing import Any

NAME = "<ticks>"  # under which compiled code finds its `Ticks`; nobody writes such a name
NO_END = float("inf")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class StepLimitExceeded(BaseException):
    """Code runs so long that it may never end; no Exception, so that few catch it."""


class Ticks:
    """How many statements may still run, about; without end until that is set."""

    def __init__(self) -> None:
        self.left: float = NO_END

    def __call__(self, count: int) -> bool:
        """Count, and say yes; raises StepLimitExceeded where none are left."""
        self.left -= count
        if self.left < 0:
            raise StepLimitExceeded
        return True


class Counted:
    """Inside, what is compiled of a definition counts its loops' turns and its functions' calls.

    Nodes may be replaced in the definition after this was made, but for the lists that hold the
    statements of a body, and the conditions of a comprehension.
    """

    def __init__(self, definition: ast.stmt) -> None:
        self.loops = False  # whether something in it may run over and over
        self._put: list[tuple[list[Any], int, ast.AST]] = []
        for node in ast.walk(definition):
            if isinstance(node, ast.comprehension):
                self._put.append((node.ifs, 0, _tick(node.target, 1)))
            elif isinstance(node, (*_LOOPS, *_FUNCTIONS)):
                body = node.body
                has_text = isinstance(node, _FUNCTIONS) and _is_text(body[0])
                tick = ast.copy_location(ast.Expr(_tick(body[0], len(body))), body[0])
                self._put.append((body, int(has_text), tick))
            self.loops |= isinstance(node, (*_LOOPS, ast.comprehension))

    def __enter__(self) -> None:
        for held, index, tick in self._put:
            held.insert(index, tick)

    def __exit__(self, *_: object) -> None:
        for held, index, _tick in self._put:
            del held[index]


def _tick(beside: ast.AST, count: int) -> ast.expr:
    called = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(count)], [])
    for node in (called, called.func, called.args[0]):
        ast.copy_location(node, beside)
    return called


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
