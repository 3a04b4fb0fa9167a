"""Plants several mistakes at once in right code: is a line told of which one is wrong?

    python -m benchmarks.mutants_together [--together 3] [--draw 200] [--seed 0] [EXERCISE ...]
    python -m benchmarks.mutants_together --corpus [--together 1] [--draw 200] [EXERCISE ...]

Each drawn case is a solution, or with --corpus right code of somebody else's, with so many small
changes, each in a statement of its own, each of which makes the code before it other code. Printed
are the shares of those caught: named; located at the changed line that stands first, or at another
one; told an exception elsewhere; located wrongly; neither. A name counts as right if one of the
mistakes that it tells of is not those of unchanged code, which no run here can doubt.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from grader.curriculum.syllabus import syllabus
from tests.corpus import cases

from .mutant_marks import Marked, mark_each
from .mutants import Mutant, original, planted


def drawn(names: list[str], count: int, together: int, seed: int, corpus: bool) -> list[Mutant]:
    """So many cases, exercises drawn alike often."""
    draw = random.Random(seed)
    styles = {name: [c.source for c in cases() if c.right and c.exercise == name] for name in names}
    found: list[Mutant] = []
    while len(found) < count:
        name = draw.choice(names)
        if corpus and not styles[name]:
            continue
        source = draw.choice(styles[name]) if corpus else original(name)
        made = planted(name, source, together, draw)
        if made is not None:
            found.append(made)
    return found


def kind(mutant: Mutant, mark: Marked) -> str:
    """What was told of a case."""
    if not mark.caught:
        return "not caught"
    if mark.names:
        return "named"
    if mark.located != "rightly":
        return mark.located or "neither"
    return "located first" if mark.number in mutant.first else "located another"


def main() -> int:
    """Print what each wrong one is told, then the shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("exercises", nargs="*")
    parser.add_argument("--together", type=int, default=1)
    parser.add_argument("--draw", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", action="store_true", help="plant in right code of the corpus")
    given = parser.parse_args()
    names = given.exercises or list(syllabus().names)
    made = drawn(names, given.draw, given.together, given.seed, given.corpus)
    counts: Counter[str] = Counter()
    for mutant, mark in mark_each(made):
        counts[told := kind(mutant, mark)] += 1
        if told not in ("named", "located first", "not caught"):
            print(f"{told} ({mark.line}): {mutant.exercise}: {mutant.name}", file=sys.stderr)
    caught = sum(counts.values()) - counts["not caught"]
    for told, count in counts.most_common():
        share = "" if told == "not caught" else f" {count / max(caught, 1):.1%}"
        print(f"{told}: {count}{share}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
