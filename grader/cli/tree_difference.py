"""What has to be edited in one definition to make it another; runs nothing and knows no exercise.

Names that only stand for the same thing (arguments, and what is assigned at the same place) are no
difference.
"""

import ast
import copy
from collections.abc import Iterator, Sequence

from ..diagnosis.edited_tree import SIGNS, body_of, dumps

_MOST = 4  # edits; what differs in more places is another program
_LEAVES = (ast.Constant, ast.Name)  # too little to say what is meant
Pair = tuple[list[ast.stmt] | ast.expr, list[ast.stmt] | ast.expr]


def edits_between(right: ast.stmt, wrong: ast.stmt) -> dict[str, str] | None:
    """Old and new texts in the order in which they stand; None where it is another program.

    None, too, where a text that differs stands in other places as well, which must stay.
    """
    if type(right) is not type(wrong):
        return None
    names, wrong = _names(right, wrong), copy.deepcopy(wrong)
    for node in ast.walk(wrong):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    found = list(_Comparison(right).blocks(body_of(right), body_of(wrong)))
    if not 0 < len(found) <= _MOST or any(_is_most(old, body_of(right)) for old, _ in found):
        return None
    texts: dict[str, str] = {}
    for old, new in found:
        before, after = _text(old), _text(new)
        if not before or texts.get(before, after) != after:
            return None
        texts[before] = after
    return texts


def _is_most(part: Sequence[ast.stmt] | ast.expr, of: Sequence[ast.stmt]) -> bool:
    """Whether so many statements differ that little of the definition is left."""
    return isinstance(part, list) and len(part) > 1 and len(of) < 2 * len(part)


class _Comparison:
    """Of a definition with others."""

    def __init__(self, right: ast.stmt) -> None:
        self._often = dumps(right)

    def blocks(self, old: list[ast.stmt], new: list[ast.stmt]) -> Iterator[Pair]:
        """What differs between two runs of statements."""
        start = 0
        while start < min(len(old), len(new)) and ast.dump(old[start]) == ast.dump(new[start]):
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and ast.dump(old[-1 - end]) == ast.dump(
            new[-1 - end]
        ):
            end += 1
        one, other = old[start : len(old) - end], new[start : len(new) - end]
        if len(one) == len(other):
            for a, b in zip(one, other, strict=True):
                yield from self.statements(a, b)
        elif one:
            yield one, other
        else:  # something is put in: with the statement beside it
            beside = [old[start]] if end else [old[start - 1]]
            yield beside, [*other, *beside] if end else [*beside, *other]

    def statements(self, old: ast.stmt, new: ast.stmt) -> Iterator[Pair]:
        """What differs between two statements."""
        if type(old) is not type(new):
            yield [old], [new]
            return
        found: list[Pair] = []
        for name, one in ast.iter_fields(old):
            other = getattr(new, name)
            if isinstance(one, list) and one and isinstance(one[0], ast.stmt):
                found += self.blocks(one, other) if other else [([old], [new])]
            elif name not in ("returns", "annotation", "type_comment") and not isinstance(
                one, ast.arguments
            ):
                pairs = self.parts(one, other)
                if pairs is None:
                    yield [old], [new]
                    return
                found += pairs
        yield from found

    def parts(self, old: object, new: object) -> list[Pair] | None:
        """What differs between two fields; None where the whole that holds them has to go."""
        if isinstance(old, ast.AST) and isinstance(new, ast.AST):
            if ast.dump(old) == ast.dump(new):
                return []
            inner = self._inner(old, new)
            if inner is not None:
                return inner
            if isinstance(old, ast.expr) and isinstance(new, ast.expr) and self._tells(old):
                return [(old, new)]
            return None
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            each = [self.parts(a, b) for a, b in zip(old, new, strict=True)]
            return None if None in each else [pair for pairs in each for pair in pairs or ()]
        return [] if old == new else None

    def _inner(self, old: ast.AST, new: ast.AST) -> list[Pair] | None:
        if type(old) is not type(new) or isinstance(old, SIGNS):
            return None
        each = [self.parts(one, getattr(new, name)) for name, one in ast.iter_fields(old)]
        return None if None in each else [pair for pairs in each for pair in pairs or ()]

    def _tells(self, old: ast.expr) -> bool:
        """Whether it is enough to say what is meant, and stands in one place."""
        is_read = not isinstance(getattr(old, "ctx", ast.Load()), ast.Store)
        return is_read and not isinstance(old, _LEAVES) and self._often.count(ast.dump(old)) == 1


def _names(right: ast.stmt, wrong: ast.stmt) -> dict[str, str]:
    """What the second calls by a name of its own, and what the first calls that."""
    found: dict[str, str] = {}
    for one, other in zip(_named(right), _named(wrong), strict=False):
        found.setdefault(other, one)
    return found if len(set(found.values())) == len(found) else {}


def _named(definition: ast.stmt) -> list[str]:
    """Arguments, then what is assigned, in the order in which it stands."""
    arguments = [node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)]
    stored = [
        node.id
        for node in ast.walk(definition)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys([*arguments, *stored]))


def _text(part: Sequence[ast.stmt] | ast.expr) -> str:
    if isinstance(part, ast.expr):
        return ast.unparse(part)
    return "\n".join(map(ast.unparse, part))
