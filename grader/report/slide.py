"""One page to project: the mistakes that cost most, an anonymous answer and a question for each."""

import ast
import re
from collections.abc import Callable, Sequence
from functools import partial

from ..curriculum.references import reference_source
from ..gradebook.entries import Piece
from .classroom import Mistake
from .pages import whole_page
from .text import visible

_WORDS = re.compile(r"[^\W\d_]{3,}")
_MOST = 3
_MOST_LINES = 18  # of an answer: what can be read from the last row


def slide_page(
    mistakes: Sequence[tuple[float, Mistake, int | None]],
    source: Callable[[int | None], Sequence[Piece]],
) -> str:
    """The three mistakes by the points lost; of one explanation and of one answer the first."""
    shown: dict[str, tuple[Mistake, str]] = {}
    for _, mistake, number in sorted(mistakes, key=lambda each: (-each[0], each[1].exercise)):
        if len(shown) < _MOST and mistake.diagnosis.explanation not in shown:
            code = ""
            if number is not None:
                code = anonymous(source(number), partial(reference_source, mistake.exercise))
            taken = {other for m, other in shown.values() if m.exercise == mistake.exercise}
            if code and code in taken:  # a second mistake of an answer that is there
                continue
            shown[mistake.diagnosis.explanation] = mistake, code
    return whole_page("slide.html", "What to think about again", mistakes=[*shown.values()])


def anonymous(pieces: Sequence[Piece], reference: Callable[[], str] = str) -> str:
    """An answer without where it stood, comments and annotations: they may name somebody.

    So may a text, which is "…" unless all its words stand in the `reference`. Empty where it
    cannot be had so, or is too long to be read from far.
    """
    found = []
    for _, _, code in pieces:
        try:
            tree = _Plain(reference).visit(ast.parse(code))
            found.append(ast.unparse(tree))
        except (SyntaxError, ValueError, RecursionError):
            return ""
    text = visible("\n\n".join(filter(None, found)))
    return text if text.count("\n") < _MOST_LINES else ""


class _Plain(ast.NodeTransformer):
    """Leaves out what does nothing, docstrings wherever they stand, annotations and own words."""

    def __init__(self, reference: Callable[[], str]) -> None:
        self._reference = reference

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """A text of the exercise's words or of axes alone, as einsum takes them; "…" for others."""
        if not isinstance(node.value, str | bytes):
            return node
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        words = [] if "->" in text else _WORDS.findall(text)
        return ast.Constant("…") if words and not self._knows(words) else node

    def _knows(self, words: Sequence[str]) -> bool:
        return {*words} <= {*_WORDS.findall(self._reference())}

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for block in ("body", "orelse", "finalbody"):
            if isinstance(own := getattr(node, block, None), list):
                kept = [each for each in own if not _is_idle(each)]
                needed = own and block == "body" and not isinstance(node, ast.Module)
                setattr(node, block, kept or ([ast.Pass()] if needed else []))
        for said in ("annotation", "returns", "msg"):
            if hasattr(node, said):
                setattr(node, said, None)
        if isinstance(getattr(node, "test", None), ast.Constant):
            node.test = ast.Constant(bool(node.test.value))  # type: ignore[attr-defined]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Without what stands behind the colon."""
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value, lineno=node.lineno)


def _is_idle(statement: ast.AST) -> bool:
    """Whether a statement is an expression that calls nothing: of a text, what it says alone."""
    acts = ast.Call | ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr
    return isinstance(statement, ast.Expr) and not any(
        isinstance(each, acts) for each in ast.walk(statement)
    )
