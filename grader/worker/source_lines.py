"""The statement that each line of a file belongs to, with the names that it reads and sets."""

import ast
import linecache
import tokenize
from collections.abc import Iterator, Sequence

MAX_SOURCE = 200


class SourceStatement:
    """The names that a statement reads and sets; of a compound one, those of its head."""

    def __init__(self, node: ast.stmt, lines: list[str]) -> None:
        self.first = node.lineno
        joined = " ".join(lines if len(lines) == 1 else _without_comments(lines))
        self.source = " ".join(joined.split())[:MAX_SOURCE]
        self.is_with = isinstance(node, ast.With | ast.AsyncWith)
        self.last = _head_end(node)
        self.is_long = self.last > self.first
        self.reads: dict[str, None] = {}
        self.sets: dict[str, None] = {}
        for part in _head(node):
            for each in ast.walk(part):
                self._take(each)
        if isinstance(node, ast.AugAssign):
            self.reads.update(self.sets)

    def _take(self, node: ast.AST) -> None:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "self":
                where = self.reads if isinstance(node.ctx, ast.Load) else self.sets
                where[f"self.{node.attr}"] = None
        elif isinstance(node, ast.Name) and node.id != "self":
            where = self.reads if isinstance(node.ctx, ast.Load) else self.sets
            where[node.id] = None


_BODIES = ("body", "orelse", "handlers", "finalbody", "cases", "decorator_list")


def _head(node: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are no statements of their own."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    for field, value in ast.iter_fields(node):
        if field in _BODIES:
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield part


def _head_end(node: ast.stmt) -> int:
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        return max(node.lineno, body[0].lineno - 1)
    return node.end_lineno or node.lineno


def parsed(file: str) -> ast.Module | None:
    """What a file holds; None where it is no plain Python, such as a notebook's magics."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_comments(lines: list[str]) -> list[str]:
    """Lines that can be joined to one: a comment would hide what comes after it."""
    bare = list(lines)
    try:
        for token in tokenize.generate_tokens(iter(lines).__next__):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                bare[row - 1] = bare[row - 1][:column]
    except (tokenize.TokenError, IndentationError):  # it ends with its head
        pass
    return bare


def part_of(
    text: Sequence[str], line: int | None, last: int | None, start: int | None, end: int | None
) -> str:
    """What stands between two places of one line, which count bytes; nothing of several lines."""
    if line is None or line != last or not 0 < line <= len(text):
        return ""
    part = text[line - 1].encode("utf-8", "replace")[start:end]
    return part.decode("utf-8", "replace").strip()[:MAX_SOURCE]


def statements_by_line(file: str) -> dict[int, SourceStatement]:
    """The statement that each line of a file belongs to."""
    text, tree = linecache.getlines(file), parsed(file)
    found: dict[int, SourceStatement] = {}
    pending: list[ast.AST] = [] if tree is None else [tree]
    while pending:
        for child in ast.iter_child_nodes(pending.pop()):
            pending.append(child)
            if isinstance(child, ast.stmt):
                statement = SourceStatement(child, text[child.lineno - 1 : _head_end(child)])
                for line in range(statement.first, statement.last + 1):
                    found.setdefault(line, statement)
    return found
