"""Reads which wrong implementations break what a find-the-mistake docstring promises; runs none.

`tests/judged/<exercise>.toml` has an entry for each part of the sentences of the docstring that say
what an implementation promises, and for each sentence of the contract that they point to:

    of = "masked_softmax"  # whose contract they point to, if there is one
    [[promise]]
    part = "stable in every row"
    wrong = ["no_shift", "global_max"]

The names are those of `[spots.<exercise>]` in common.toml. In the place of `wrong` may stand
`open = true`: the part says nothing, or what a judge need not look at.

Behind them stands why a judge meets no such implementation, for each known mistake of the judged
function that is not among them:

    [like]  # on whatever it goes wrong, these do
    global_max = "softmax_over_everything"
    [left_open]  # by these words of the docstring
    "none is wrong in gradients or dtype alone" = "sum_constant gradient_stopped"
    [unseen]  # for a reason of its own
    "It shows in float64 alone." = "single_precision"
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.promises import contract

JUDGED = Path(__file__).parent / "judged"
_BETWEEN = re.compile(r"[,:.]? ?(and )?")
# Sentences of a find-the-mistake docstring that speak of the judge, not of what it judges.
_OF_JUDGES = (
    r"Find the mistake: .*|Call it .* judge (what comes|the lists that come) back\."
    r"|A candidate that raises .*|Every right formulation .*|You need no .*|What .*\?"
    r"|candidate: .*|returns: True .*"
)


@dataclass(frozen=True)
class Part:
    """A part of what an implementation promises, and the wrong ones that break it."""

    part: str
    wrong: tuple[str, ...] = ()
    open: bool = False


def parts(exercise: str) -> tuple[Part, ...]:
    """What stands in the exercise's file."""
    rows = _read(exercise)["promise"]
    return tuple(Part(row["part"], tuple(row.get("wrong", ())), "open" in row) for row in rows)


def promised(exercise: str) -> tuple[str, ...]:
    """The sentences that say what an implementation has to keep."""
    own = [s for s in contract(exercise) if not re.fullmatch(_OF_JUDGES, s)]
    judged = _read(exercise).get("of")
    return (*own, *(contract(judged) if judged else ()))


def left_over(sentence: str, found: tuple[Part, ...]) -> str:
    """What of a sentence is no part of what stands in the file, nor between two of them."""
    for each in sorted(found, key=lambda one: -len(one.part)):
        sentence = sentence.replace(each.part, "\n")
    return "".join(piece for piece in sentence.split("\n") if not _BETWEEN.fullmatch(piece))


def unmet(exercise: str, table: str) -> dict[str, list[str]]:
    """What stands in one of the tables of known mistakes that a judge does not meet."""
    return {reason: names.split() for reason, names in _read(exercise).get(table, {}).items()}


def _read(exercise: str) -> dict[str, Any]:
    return tomllib.loads((JUDGED / f"{exercise}.toml").read_text(encoding="utf-8"))
