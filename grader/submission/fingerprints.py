"""Fingerprints of code that stay when it is renamed, reordered or reformatted; runs none of it.

Winnowing (Schleimer, Wilkerson and Aiken 2003, "Winnowing: local algorithms for document
fingerprinting") over the nodes of the syntax tree: of every window of hashes of neighbouring nodes
the smallest is kept, so that two codes that share `K + WINDOW - 1` nodes in a row share a
fingerprint. What a learner chooses has no say: names, the attributes of `self`, docstrings,
annotations, comments, and the order of functions.
"""

import ast
import zlib
from collections.abc import Iterator
from functools import cache

from .isolation import Unit
from .parsing import parsed

K, WINDOW = 14, 6
_BASE, _MODULUS = 1_000_003, (1 << 61) - 1
_MOST_NODES = 20_000  # of one exercise; the largest that anyone wrote has some 2,000
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

Lines = tuple[int, int]  # first and last
Token = tuple[int, int]  # hash, line


def fingerprints(unit: Unit) -> dict[int, list[Lines]]:
    """Each fingerprint with the lines that it stands for; none where the code does not parse."""
    tree = parsed(unit.code)
    found: dict[int, list[Lines]] = {}
    left = _MOST_NODES
    for tokens in _sequences(tree) if tree else ():
        tokens, left = tokens[:left], left - len(tokens)
        for key, first, last in _winnowed(tokens):
            lines = (unit.line + first - 1, unit.line + last - 1)
            found.setdefault(key, []).append(lines)
        if left <= 0:
            break
    return found


def _sequences(tree: ast.Module) -> Iterator[list[Token]]:
    """The nodes of each function, and those of what stands beside functions, statement by one."""
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        tokens: list[Token] = []
        inside: list[ast.AST] = [waiting.pop()]
        root = inside[0]
        while inside:
            node = inside.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node is not root:
                waiting.append(node)  # a function of its own, wherever it stands
                continue
            if isinstance(node, ast.ClassDef):
                waiting += node.body
                continue
            line = getattr(node, "lineno", 0)  # what only wraps others has none
            if line and not isinstance(node, ast.Expr):
                tokens.append((_hash(_kind(node)), line))
            inside += reversed([*_children(node)])
        yield tokens


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What counts of a node, in the order of writing."""
    if isinstance(node, _FUNCTIONS):
        body = node.body if isinstance(node.body, list) else [node.body]
        yield from (each for each in body if not _is_text(each))
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment"):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST) and not _is_text(each):
                yield each


def _is_text(node: ast.AST) -> bool:
    """A docstring or another text that does nothing."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _kind(node: ast.AST) -> str:
    """What a node says that is not the learner's choice."""
    kind = type(node).__name__
    if isinstance(node, ast.Attribute):
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
        return kind if is_own else f"{kind} {node.attr}"
    if isinstance(node, ast.BinOp | ast.UnaryOp | ast.AugAssign | ast.BoolOp):
        return f"{kind} {type(node.op).__name__}"
    if isinstance(node, ast.Compare):
        return f"{kind} {' '.join(type(each).__name__ for each in node.ops)}"
    if isinstance(node, ast.Constant):
        return f"{kind} {type(node.value).__name__}"
    if isinstance(node, ast.keyword):
        return f"{kind} {node.arg}"
    return kind


@cache
def _hash(kind: str) -> int:
    """The same on every machine, which Python's own hash of a text is not."""
    return zlib.crc32(kind.encode("utf-8", "replace"))


def _winnowed(tokens: list[Token]) -> Iterator[tuple[int, int, int]]:
    """Of each window the smallest hash, the last of equals; each place once."""
    hashes = _rolled([token[0] for token in tokens])
    last = -1
    for start in range(max(len(hashes) - WINDOW + 1, min(len(hashes), 1))):
        window = hashes[start : start + WINDOW]
        smallest = min(window)
        place = start + len(window) - 1 - window[::-1].index(smallest)
        if place != last:
            last = place
            lines = [line for _, line in tokens[place : place + K]]
            yield smallest, min(lines), max(lines)


def _rolled(tokens: list[int]) -> list[int]:
    """A hash of every K neighbours (Karp and Rabin 1987)."""
    if len(tokens) < K:
        return []
    top = pow(_BASE, K - 1, _MODULUS)
    value = 0
    found = []
    for index, token in enumerate(tokens):
        if index >= K:
            value = (value - tokens[index - K] * top) % _MODULUS
        value = (value * _BASE + token) % _MODULUS
        if index >= K - 1:
            found.append(value)
    return found
