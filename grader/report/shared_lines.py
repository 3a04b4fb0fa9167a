"""Says which lines two answers have in common, by their fingerprints."""

from collections import defaultdict
from collections.abc import Iterable

from ..submission.isolation import Unit
from .likeness import Lines, fingerprints

Places = dict[int, list[tuple[str, Lines]]]  # of each fingerprint: where, which lines


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
