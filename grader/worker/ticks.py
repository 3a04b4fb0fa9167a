"""Counts how often definitions loop and are called, to stop what may never end; judges none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

NAME = "<ticks>"  # under which compiled code finds its `Ticks`; nobody writes such a name
NO_END = float("inf")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Patience(BaseException):
    """Code runs so long that it may never end; no Exception, so that few catch it."""


class Ticks:
    """How many statements may still run, about; without end until that is set."""

    def __init__(self) -> None:
        self.left: float = NO_END

    def __call__(self, count: int) -> bool:
        """Count, and say yes; raises Patience where none are left."""
        self.left -= count
        if self.left < 0:
            raise Patience
        return True


def loops(definition: ast.stmt) -> bool:
    """Whether something in it may run over and over."""
    return any(isinstance(node, (*_LOOPS, ast.comprehension)) for node in ast.walk(definition))


@contextmanager
def counted(definition: ast.stmt) -> Iterator[None]:
    """Inside, what is compiled counts each turn of its loops and each call of its functions."""
    put: list[tuple[list[ast.stmt] | list[ast.expr], int]] = []
    for node in list(ast.walk(definition)):
        if isinstance(node, ast.comprehension):
            node.ifs.insert(0, _tick(node.target, 1))
            put.append((node.ifs, 0))
        elif isinstance(node, (*_LOOPS, *_FUNCTIONS)):
            body = node.body
            has_text = isinstance(node, _FUNCTIONS) and _is_text(body[0])
            tick = ast.Expr(_tick(body[0], len(body)))
            body.insert(has_text, ast.copy_location(tick, body[0]))
            put.append((body, int(has_text)))
    try:
        yield
    finally:
        for held, index in put:
            del held[index]


def _tick(beside: ast.AST, count: int) -> ast.expr:
    called = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(count)], [])
    for node in (called, called.func, called.args[0]):
        ast.copy_location(node, beside)
    return called


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
