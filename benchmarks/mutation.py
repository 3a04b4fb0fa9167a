"""Grades the grader: does it catch each known mistake, and name it rightly?

    python -m benchmarks.mutation [--quick] [--pairs N] [--seeds N] [--exercises NAME ...]
    python -m benchmarks.mutation --mutants [--names] [--exercises NAME ...]

Both take --jobs N. Tables go to standard output, what is not as it should be to standard error.
First form: a matrix of exercises × misconceptions × checks, and random pairs of misconceptions; all
tables but the first seed's go to standard error too. Exit status 1 where a known mistake is not
caught, where any is named wrongly, or where fewer than 95 % are named. Second form: automatic
mutants of the solutions. Exit status 1 where one passes that differs from the reference, or where
one is named after a mistake that it differs from.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import torch

from grader.candidate.records import Mark
from grader.curriculum.syllabus import syllabus
from grader.notebook.in_process import checks

from .marked import mark_variant
from .mutant_report import HEAD, MutantCount, count_mutants
from .variants import (
    Variant,
    clashes,
    exercises,
    named_rightly,
    no_mistake,
    same_mathematics,
    turns,
    variant,
    variants,
)

QUICK, FULL = 8, 200
NAMED = 0.95  # of the known mistakes, at least, have to be named rightly


@dataclass
class Tally:
    """What became of the variants of one exercise."""

    tried: int = 0
    none: list[str] = field(default_factory=list)  # they are the reference, read another way
    uncaught: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)
    alone: Counter[str] = field(default_factory=Counter)  # caught by this check and no other

    @property
    def caught(self) -> int:
        return self.tried - len(self.uncaught)

    @property
    def rightly(self) -> int:
        return self.caught - len(self.unnamed) - len(self.misnamed)

    def add(self, made: Variant, mark: Mark, beside: frozenset[str]) -> None:
        """Count one variant; `beside`: what fails it though it takes no wrong turn."""
        caught = [title for title in _failed(mark) if title not in beside]
        if not caught and no_mistake(made):
            self.none.append(made.name)
            return
        self.tried += 1
        if len(caught) == 1:
            self.alone.update(caught)
        if not caught:
            self.uncaught.append(made.name)
            return
        named = frozenset(diagnosis.id for diagnosis in mark.diagnosis)
        if not named:
            self.unnamed.append(made.name)
        elif not named & made.switches and not named_rightly(made, named):
            self.misnamed.append(f"{made.name} (named {', '.join(sorted(named))})")


def measure(exercise: str, most: int, pairs: int, seed: int = 0) -> tuple[Tally, Tally]:
    """Single switches, and random pairs of them."""
    singles, doubles = Tally(), Tally()
    bare = variant(exercise, frozenset())  # has no dropout, and one ε for all norms
    beside = frozenset(_failed(mark_variant(bare, seed)))
    for made in variants(exercise, most):
        singles.add(made, mark_variant(made, seed), beside)
    for made in _pairs(exercise, pairs):
        doubles.add(made, mark_variant(made, seed), beside)
    return singles, doubles


def _failed(mark: Mark) -> list[str]:
    """Titles of the checks that a mark has not passed."""
    return [check.title for check in mark.checks if check.outcome != "passed"]


def _pairs(exercise: str, count: int) -> Iterator[Variant]:
    ids = [turn.id for turn in turns(exercise)][:16]
    chosen = list(itertools.combinations(ids, 2))
    random.Random(exercise).shuffle(chosen)
    for one, other in chosen[:count]:
        on = frozenset({one, other})
        if not clashes(exercise, on) and not any(
            same_mathematics(exercise, on, frozenset(alone)) for alone in ((), (one,), (other,))
        ):
            yield variant(exercise, on)


@dataclass(frozen=True)
class Measured:
    """All that is said of one exercise."""

    exercise: str
    singles: Tally
    doubles: Tally

    @property
    def row(self) -> str:
        """A line of the table."""
        tally = self.singles
        return (
            f"| {self.exercise} | {tally.tried} | {tally.caught} | {tally.rightly} | "
            f"{len(self.idle)} of {len(checks().titles(self.exercise))} |"
        )

    @property
    def idle(self) -> list[str]:
        """Titles of the checks that catch nothing which no other catches."""
        return [t for t in checks().titles(self.exercise) if not self.singles.alone[t]]

    @property
    def notes(self) -> list[str]:
        """What is not as it should be."""
        lines = []
        for what, tally in (("", self.singles), ("pair: ", self.doubles)):
            lines += [f"{self.exercise}: {what}not caught: {name}" for name in tally.uncaught]
            lines += [f"{self.exercise}: {what}named wrongly: {name}" for name in tally.misnamed]
            lines += [f"{self.exercise}: {what}not named: {name}" for name in tally.unnamed]
            lines += [f"{self.exercise}: {what}is the reference: {name}" for name in tally.none]
        lines += [f"{self.exercise}: catches nothing alone: {title}" for title in self.idle]
        return lines


def _measured(exercise: str, most: int, pairs: int, seed: int) -> Measured:
    torch.set_num_threads(1)
    return Measured(exercise, *measure(exercise, most, pairs, seed))


def known_mistakes(names: Sequence[str], most: int, pairs: int, jobs: int, seed: int) -> bool:
    """Print the matrix of exercises and known mistakes; is each caught, and none named wrongly?"""
    total, failures = Tally(), 0
    print("| exercise | mistakes | caught | named rightly | checks that catch nothing alone |")
    print("|---|---|---|---|---|")
    for found in _each(_measured, names, jobs, most, pairs, seed):
        print(found.row, flush=True)
        print("\n".join(found.notes), file=sys.stderr, flush=True)
        total.tried += found.singles.tried
        total.uncaught += found.singles.uncaught
        total.unnamed += found.singles.unnamed
        total.misnamed += found.singles.misnamed
        failures += len(found.doubles.misnamed)
    print(
        f"\n{total.tried} mistakes: {total.caught} caught, {total.rightly} named rightly, "
        f"{len(total.misnamed)} named wrongly."
    )
    enough = total.rightly >= NAMED * total.tried
    return enough and not (total.uncaught or total.misnamed or failures)


def solution_mutants(names: Sequence[str], jobs: int, all_names: bool) -> bool:
    """Print what became of the solutions' mutants; is each caught, and none named wrongly?"""
    total = MutantCount()
    print(HEAD)
    print("|---" * 11 + "|")
    for exercise, count in zip(names, _each(count_mutants, names, jobs), strict=True):
        print(count.row(exercise), flush=True)
        lines = [*count.survived, *count.misnamed, *count.mislocated, *count.endless, *count.idle]
        lines += [*count.names, *count.alike, *count.unsaid] if all_names else []
        print("\n".join(lines), file=sys.stderr, flush=True)
        total.add(count)
    print(total.row("all"))
    return not (total.survived or total.misnamed)


def _each(work: Callable[..., Any], names: Sequence[str], jobs: int, *rest: Any) -> Iterator[Any]:
    """What `work` gives for each exercise, in their order, from as many processes."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield from pool.map(work, names, *([one] * len(names) for one in rest))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="the likeliest mistakes alone")
    parser.add_argument("--pairs", type=int, default=None, help="random pairs for each exercise")
    parser.add_argument("--seeds", type=int, default=1, help="do it all with so many seeds")
    parser.add_argument("--mutants", action="store_true", help="the solutions' mutants instead")
    parser.add_argument("--names", action="store_true", help="with each name, and each that passes")
    parser.add_argument("--exercises", nargs="+", metavar="NAME", help="these alone")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args()
    if given.mutants:
        chosen = given.exercises or syllabus().names
        return 0 if solution_mutants(chosen, given.jobs, given.names) else 1
    pairs = given.pairs if given.pairs is not None else (0 if given.quick else 10)
    chosen = given.exercises or exercises()
    most = QUICK if given.quick else FULL
    sound = True
    for seed in range(given.seeds):
        with redirect_stdout(sys.stderr if seed else sys.stdout):
            sound &= known_mistakes(chosen, most, pairs, given.jobs, seed)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
