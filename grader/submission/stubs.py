"""Tells whether a definition was ever begun; knows no exercise."""

import ast

from .scopes import root

_NO_ANSWERS = frozenset(["Module", "object", "ABC", "Protocol"])
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_stub(node: ast.stmt) -> bool:
    """Whether a function or class was never begun: no body but a docstring, `pass`, `...` or
    `raise NotImplementedError`; in a class every method so, after `super().__init__()` at most."""
    if isinstance(node, ast.ClassDef):
        bases = [b.attr if isinstance(b, ast.Attribute) else root(b) for b in node.bases]
        # A base may hold the answer (`class Encoder(MyEncoder): pass`), unless a method says of
        # itself that it is still to be written.
        if not _NO_ANSWERS.issuperset(bases) and not any(map(_is_to_do, node.body)):
            return False
        return all(
            _is_empty(statement) or (isinstance(statement, _DEFINITIONS) and is_stub(statement))
            for statement in node.body
        )
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return all(_is_empty(statement) or _is_super_init(statement) for statement in node.body)
    return False


def _is_to_do(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(isinstance(n, ast.Raise) for n in node.body)


def _is_empty(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Raise) and node.exc is not None:
        return root(node.exc) == "NotImplementedError"
    return isinstance(node, ast.Pass)


def _is_super_init(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and all(isinstance(part, ast.Starred) for part in call.args)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "__init__"
        and root(call.func) == "super"
    )
