"""Finds submissions whose code is alike beyond what all have in common; judges nobody.

Winnowing (Schleimer, Wilkerson and Aiken 2003, "Winnowing: local algorithms for document
fingerprinting") over the nodes of the syntax tree: of every window of hashes of neighbouring nodes
the smallest is kept, so that two codes that share `K + WINDOW - 1` nodes in a row share a
fingerprint. What a learner chooses has no say: names, the attributes of `self`, docstrings,
annotations, comments, and the order of functions.
"""

import ast
import hashlib
import math
import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from ..submission.isolation import Unit
from ..submission.parsing import parsed

Lines = tuple[int, int]  # first and last
Token = tuple[int, int]  # hash, line
Work = Mapping[str, tuple[Unit, ...]]  # what somebody wrote, by exercise
_HALF, _FEW, _MANY = 2, 3, 50
_ALIKE = 0.6  # of the shorter of two answers
_LEAST, _IN_ALL = 4, 8  # places that two answers share, and two learners: fewer are chance
K, WINDOW = 14, 6
_BASE, _MODULUS = 1_000_003, (1 << 61) - 1
_MOST_NODES = 20_000  # of one statement; the largest that anyone wrote has some 2,000
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def fingerprints(unit: Unit) -> dict[int, list[Lines]]:
    """Each fingerprint with the lines that it stands for; none where the code does not parse."""
    return dict(_read(unit).prints)


def is_read_whole(units: Iterable[Unit]) -> bool:
    """Whether all of an answer is in its fingerprints."""
    return all(_read(unit).is_whole for unit in units)


@dataclass(frozen=True)
class _Read:
    """One statement: its fingerprints, whether they are of all of it, and a hash of it."""

    prints: dict[int, list[Lines]]
    is_whole: bool
    said: str


@lru_cache(maxsize=1_000)  # a helper is in many answers of its learner
def _read(unit: Unit) -> _Read:
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
    said = unit.code
    with suppress(RecursionError, ValueError):
        said = ast.dump(tree) if tree else said
    digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
    return _Read(found, tree is not None and left > 0, digest)


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


@dataclass(frozen=True)
class Alike:
    """One exercise that two learners answer alike."""

    exercise: str
    share: float  # of the shorter answer, what is common left out
    places: int
    weight: float  # places that few have count more


@dataclass(frozen=True)
class Pair:
    """Two learners, and where they are alike."""

    learners: tuple[str, str]
    exercises: tuple[Alike, ...]

    @property
    def weight(self) -> float:
        """How much speaks for a copy; only good for ranking."""
        return sum(each.weight * each.share for each in self.exercises)


class ClassPrints:
    """The fingerprints of a class; `given` are those of what everybody was handed."""

    def __init__(self, given: Mapping[str, frozenset[int]]) -> None:
        self._given = given
        self._learners: list[str] = []
        self._equal: dict[str, list[int]] = defaultdict(list)  # by all that they wrote
        self._prints: dict[str, list[tuple[int, array[int]]]] = defaultdict(list)

    def add(self, learner: str, work: Work) -> None:
        """Take in what one more learner wrote."""
        number = len(self._learners)
        self._learners.append(learner)
        for exercise, units in work.items():
            own = prints_of(units) - self._given.get(exercise, frozenset())
            self._prints[exercise].append((number, array("Q", own)))
        said = {name: [_read(unit).said for unit in units] for name, units in work.items()}
        self._equal[hashlib.sha256(repr(said).encode()).hexdigest()].append(number)

    def common(self, exercise: str) -> frozenset[int]:
        """What so many share that it tells nothing: more than half of them, or more than fifty."""
        counts, most = self._counts(exercise)
        return frozenset(key for key, count in counts.items() if count > most)

    def pairs(self) -> list[Pair]:
        """Those who are alike, the likeliest copies first."""
        found: dict[tuple[int, int], list[Alike]] = defaultdict(list)
        for exercise in self._prints:
            for both, alike in self._pairs_of(exercise):
                found[both].append(alike)
        for both, exercises in self._equal_works():
            found.setdefault(both, exercises)
        pairs = [
            Pair((self._learners[one], self._learners[other]), tuple(exercises))
            for (one, other), exercises in found.items()
            if sum(each.places for each in exercises) >= _IN_ALL
        ]
        return sorted(pairs, key=lambda pair: (-pair.weight, pair.learners))

    def _equal_works(self) -> Iterator[tuple[tuple[int, int], list[Alike]]]:
        """Who handed in the same throughout, however many do: the first of them and each other."""
        counts = {
            name: {number: len(keys) for number, keys in prints}
            for name, prints in self._prints.items()
        }
        for first, *others in self._equal.values():
            if others:
                own = [(name, count.get(first, 0)) for name, count in counts.items()]
                exercises = [Alike(name, 1.0, places, places) for name, places in own if places]
                yield from (((first, other), exercises) for other in others)

    def _pairs_of(self, exercise: str) -> Iterable[tuple[tuple[int, int], Alike]]:
        counts, most = self._counts(exercise)
        of = len(self._prints[exercise])
        weights = {key: math.log2(1 + of / count) for key, count in counts.items() if count <= most}
        holders: dict[int, list[int]] = defaultdict(list)
        wholes: Counter[int] = Counter()
        for number, keys in self._prints[exercise]:
            for key in keys:
                if key in weights:
                    wholes[number] += 1
                    holders[key].append(number)
        places: Counter[tuple[int, int]] = Counter()
        shared: dict[tuple[int, int], float] = defaultdict(float)
        for key, numbers in holders.items():
            for both in combinations(numbers, 2):
                places[both] += 1
                shared[both] += weights[key]
        for both, count in places.items():
            share = count / min(wholes[number] for number in both)
            if count >= _LEAST and share >= _ALIKE:
                yield both, Alike(exercise, share, count, shared[both])

    def _counts(self, exercise: str) -> tuple[Counter[int], int]:
        """How many have each print, and of how many it still tells something."""
        prints = self._prints[exercise]
        most = max(_FEW, min(len(prints) // _HALF, _MANY))
        return Counter(key for _, keys in prints for key in keys), most


def prints_of(units: Iterable[Unit]) -> frozenset[int]:
    """The fingerprints of one answer."""
    return frozenset(key for unit in units for key in fingerprints(unit))
