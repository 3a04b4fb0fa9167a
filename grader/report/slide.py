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

_WORDS = re.compile(r"\w+")
# What names nobody: a letter, two figures, what floats and meshgrid are called by.
_PLAIN = re.compile("[0-9]{0,2}[A-Za-z]?|inf|nan|ij|xy", re.ASCII)
_AXES = re.compile(r"([\w\s,.()]+)->([\w\s.()]+)", re.ASCII)
_MOST = 3
_MOST_LINES = 18  # of an answer: what can be read from the last row


def slide_page(
    mistakes: Sequence[tuple[float, Mistake, int | None]],
    source: Callable[[int | None], Sequence[Piece]],
    order: Sequence[str],
) -> str:
    """The first three mistakes in the `order` of their explanations, which the class's page has.

    Of one explanation the mistake that cost most is shown, and of one answer the first.
    """
    ranks = {explanation: rank for rank, explanation in enumerate(order)}

    def place(each: tuple[float, Mistake, int | None]) -> tuple[int, float, str]:
        lost, mistake, _ = each
        return ranks[mistake.diagnosis.explanation], -lost, mistake.exercise

    shown: dict[str, tuple[Mistake, str]] = {}
    for _, mistake, number in sorted(mistakes, key=place):
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
        """A text of the exercise's words or of axes alone, as einsum takes them; "…" for others.

        And for long numbers, which may be those of a person.
        """
        if isinstance(node.value, int | float | complex):
            return ast.Constant("…") if _is_long(node.value) else node
        if not isinstance(node.value, str | bytes):
            return node
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        words = {each for each in _WORDS.findall(text) if not _PLAIN.fullmatch(each)}
        is_known = not words or _moves_axes(text) or words <= {*_WORDS.findall(self._reference())}
        return node if is_known else ast.Constant("…")

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


def _is_long(number: complex) -> bool:
    """Whether it has six figures or more before the point, and is no round number."""
    whole = re.match(r"\d+", repr(number))
    return whole is not None and len(whole[0]) > 5 and len(whole[0].rstrip("0")) > 3


def _moves_axes(text: str) -> bool:
    """Whether each axis on the right stands on the left: a letter, or a word where blanks are."""
    text = re.sub(r"\s*(,|->)\s*", r"\1", text)
    sides = _AXES.fullmatch(text)
    if sides is None:
        return False
    left, right = (_WORDS.findall(side) for side in sides.groups())
    return {*right} <= {*left} or (" " not in text and {*"".join(right)} <= {*"".join(left)})


def _is_idle(statement: ast.AST) -> bool:
    """Whether a statement is an expression that calls nothing: of a text, what it says alone."""
    acts = ast.Call | ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr
    return isinstance(statement, ast.Expr) and not any(
        isinstance(each, acts) for each in ast.walk(statement)
    )
