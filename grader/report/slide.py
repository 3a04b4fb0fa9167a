"""One page to project: the mistakes that cost most, an anonymous answer and a question for each."""

import ast
from collections.abc import Callable, Sequence

from ..gradebook.entries import Piece
from .classroom import Mistake
from .pages import whole_page
from .text import visible

_MOST = 3
_MOST_LINES = 18  # of an answer: what can be read from the last row


def slide_page(
    mistakes: Sequence[tuple[float, Mistake, int | None]],
    source: Callable[[int | None], Sequence[Piece]],
) -> str:
    """The three mistakes by the points lost, each in one exercise; of one explanation the first."""
    shown: dict[str, tuple[Mistake, str]] = {}
    for _, mistake, number in sorted(mistakes, key=lambda each: (-each[0], each[1].exercise)):
        if len(shown) < _MOST and mistake.diagnosis.explanation not in shown:
            code = anonymous(source(number)) if number is not None else ""
            shown[mistake.diagnosis.explanation] = mistake, code
    return whole_page("slide.html", "Three mistakes", mistakes=[*shown.values()])


def anonymous(pieces: Sequence[Piece]) -> str:
    """An answer without where it stood, comments and docstrings, as these may name somebody.

    Empty where it cannot be had so, or is too long to be read from far.
    """
    found = []
    for _, _, code in pieces:
        try:
            tree = ast.parse(code)
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                    _drop_texts(node)
            found.append(ast.unparse(tree))
        except (SyntaxError, ValueError, RecursionError):
            return ""
    text = visible("\n\n".join(filter(None, found)))
    return text if text.count("\n") < _MOST_LINES else ""


def _drop_texts(node: ast.FunctionDef | ast.ClassDef | ast.Module) -> None:
    """Leave out statements that are a text alone, docstrings among them."""
    kept = [
        each
        for each in node.body
        if not (
            isinstance(each, ast.Expr)
            and isinstance(each.value, ast.Constant)
            and isinstance(each.value.value, str)
        )
    ]
    node.body = kept or ([] if isinstance(node, ast.Module) else [ast.Pass()])
