"""Grades the grader: does it catch each known mistake, and name it rightly?

    python -m benchmarks.mutation [--quick] [--pairs N] [--markdown]

A matrix of exercises × misconceptions × checks, random pairs of misconceptions, and automatic
mutants of the solutions. Exit status 1 where a known mistake is not caught or is named wrongly.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.kernel import mark_in_kernel
from grader.records import Mark, Verdict

from .variants import Variant, exercises, same_mathematics, turns, variant, variants

QUICK, FULL = 8, 200


@dataclass
class Tally:
    """What became of the variants of one exercise."""

    tried: int = 0
    uncaught: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)
    catches: Counter[str] = field(default_factory=Counter)  # by check
    alone: Counter[str] = field(default_factory=Counter)  # caught by this check and no other

    def add(self, made: Variant, mark: Mark) -> None:
        """Count one variant."""
        self.tried += 1
        caught = [check.title for check in mark.checks if check.outcome != "passed"]
        self.catches.update(caught)
        if len(caught) == 1:
            self.alone.update(caught)
        if mark.verdict is Verdict.PASSED:
            self.uncaught.append(made.name)
            return
        named = frozenset(diagnosis.id for diagnosis in mark.diagnosis)
        if not named:
            self.unnamed.append(made.name)
        elif not named & made.same and not same_mathematics(made.exercise, made.switches, named):
            self.misnamed.append(f"{made.name} (named {', '.join(sorted(named))})")


def measure(exercise: str, most: int, pairs: int) -> tuple[Tally, Tally]:
    """Single switches, and random pairs of them."""
    singles, doubles = Tally(), Tally()
    for made in variants(exercise, most):
        singles.add(made, mark_in_kernel(exercise, made.candidate))
    for made in _pairs(exercise, pairs):
        doubles.add(made, mark_in_kernel(exercise, made.candidate))
    return singles, doubles


def _pairs(exercise: str, count: int) -> Iterator[Variant]:
    ids = [turn.id for turn in turns(exercise)][:16]
    chosen = list(itertools.combinations(ids, 2))
    random.Random(exercise).shuffle(chosen)
    for one, other in chosen[:count]:
        on = frozenset({one, other})
        if not any(
            same_mathematics(exercise, on, frozenset(alone)) for alone in ((), (one,), (other,))
        ):
            yield variant(exercise, on)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="the likeliest mistakes alone")
    parser.add_argument("--pairs", type=int, default=None, help="random pairs for each exercise")
    given = parser.parse_args()
    most = QUICK if given.quick else FULL
    pairs = given.pairs if given.pairs is not None else (0 if given.quick else 10)
    total, failures = Tally(), 0
    print("| exercise | mistakes | caught | named rightly | checks that catch nothing alone |")
    print("|---|---|---|---|---|")
    notes: list[str] = []
    for exercise in exercises():
        singles, doubles = measure(exercise, most, pairs)
        rightly = (
            singles.tried - len(singles.uncaught) - len(singles.unnamed) - len(singles.misnamed)
        )
        idle = sorted(title for title in singles.catches if not singles.alone[title])
        caught = singles.tried - len(singles.uncaught)
        print(
            f"| {exercise} | {singles.tried} | {caught} | {rightly} | "
            f"{len(idle)} of {len(singles.catches)} |",
            flush=True,
        )
        for what, tally in (("", singles), ("pair: ", doubles)):
            notes += [f"{exercise}: {what}not caught: {name}" for name in tally.uncaught]
            notes += [f"{exercise}: {what}named wrongly: {name}" for name in tally.misnamed]
            notes += [f"{exercise}: {what}not named: {name}" for name in tally.unnamed]
        failures += len(singles.uncaught) + len(singles.misnamed)
        total.tried += singles.tried
        total.uncaught += singles.uncaught
        total.unnamed += singles.unnamed
        total.misnamed += singles.misnamed
    rightly = total.tried - len(total.uncaught) - len(total.unnamed) - len(total.misnamed)
    print(
        f"\n{total.tried} mistakes: {total.tried - len(total.uncaught)} caught, "
        f"{rightly} named rightly, {len(total.misnamed)} named wrongly."
    )
    print("\n".join(notes))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
