"""Finds submissions whose code is alike beyond what all have in common; judges nobody."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from .fingerprints import Lines, fingerprints
from .isolation import Unit

Places = dict[int, list[tuple[str, Lines]]]  # of each fingerprint: where, which lines
Work = Mapping[str, tuple[Unit, ...]]  # what somebody wrote, by exercise
_HALF, _FEW, _MANY = 2, 3, 50
_ALIKE = 0.6  # of the shorter of two answers
_LEAST, _IN_ALL = 4, 8  # places that two answers share, and two learners: fewer are chance


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
        self._prints: dict[str, list[tuple[int, array[int]]]] = defaultdict(list)

    def add(self, learner: str, work: Work) -> None:
        """Take in what one more learner wrote."""
        number = len(self._learners)
        self._learners.append(learner)
        for exercise, units in work.items():
            own = prints_of(units) - self._given.get(exercise, frozenset())
            self._prints[exercise].append((number, array("Q", own)))

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
        pairs = [
            Pair((self._learners[one], self._learners[other]), tuple(exercises))
            for (one, other), exercises in found.items()
            if sum(each.places for each in exercises) >= _IN_ALL
        ]
        return sorted(pairs, key=lambda pair: (-pair.weight, pair.learners))

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


def shared_lines(
    one: Iterable[Unit], other: Iterable[Unit], without: frozenset[int]
) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """The lines that two answers have in common, by the label of their place."""
    places = [_places(units) for units in (one, other)]
    keys = (places[0].keys() & places[1].keys()) - without
    return _lines(places[0], keys), _lines(places[1], keys)


def _places(units: Iterable[Unit]) -> Places:
    found: Places = defaultdict(list)
    for unit in units:
        for key, places in fingerprints(unit).items():
            found[key] += ((unit.label, lines) for lines in places)
    return found


def _lines(places: Places, keys: Iterable[int]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for key in keys:
        for label, (first, last) in places[key]:
            found[label].update(range(first, last + 1))
    return dict(found)
