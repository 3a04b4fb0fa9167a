"""Tries inputs that a seed draws: first examples that may be told, then cases that are not."""

import time
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from torch import Generator

from ...candidate.candidate import Candidate
from ...candidate.seeds import generator_for
from ...marking.blur import wait_at_random
from ...marking.check import Reference
from ...marking.expect import agree, wrong
from ...wall.transport import WorkerDied
from ...wall.zygote_client import ZygoteDied

Case = tuple[object, ...]  # the arguments of one call
Draw = Callable[[Random], Sequence[Case] | Sequence[str]]  # a text is the one argument of a call
_MOST_PIECES = 9  # that are told one by one
_ROUNDS = 6  # of examples, where a case that is not told came out wrong


def tried(
    candidate: Candidate,
    reference: Reference,
    draw: Draw,
    one: Callable[..., None],
    generator: Generator,
) -> None:
    """Try `one(candidate, reference, *case)` on what `draw` gives; examples alone are told.

    Examples and hidden cases come of two streams of one generator. The first of each is tried
    once more at the end: what an earlier call has left plays no part. Hidden cases are asked when
    all checks have asked their examples, of the same code in a process of its own, which answers
    nothing that is told: what it keeps of them is lost, and how long it takes tells nobody. Of what
    ends that process neither the case is told nor the status or the line. Where there is no such
    process, as for code that was changed to find a line, examples are all that is asked.
    """

    def examples(numbers: Iterable[int]) -> None:
        """Of each round the short ones first, as they say the most."""
        for number in numbers:
            cases = cases_of(draw, stream(generator, f"example {number}"))
            ask_all(candidate, sorted(cases, key=lambda case: len(repr(case))))

    def ask_all(asked: Candidate, cases: Sequence[Case]) -> None:
        for case in (*cases, cases[0]):
            one(asked, reference, *case)

    def hidden(process: Callable[[], Candidate]) -> None:
        began = time.monotonic()
        try:
            ask_all(process(), cases_of(draw, stream(generator, "hidden")))
        except WorkerDied as died:
            raise WorkerDied(died.kind, died.words) from None
        except ZygoteDied:
            raise
        except Exception:  # a finding, an error of the code, or an answer that trips the check
            wait_at_random(began)
            examples(range(1, _ROUNDS))
            raise wrong(
                "All examples that may be told come out right, and another input of this kind does "
                "not. On what does the answer depend that no example has?"
            ) from None

    if candidate.hidden is None:
        examples(range(_ROUNDS))
        return
    examples([0])
    candidate.hidden.later(hidden)


def cases_of(draw: Draw, random: Random) -> list[Case]:
    """What is drawn, as the arguments of calls."""
    return [(case,) if isinstance(case, str) else case for case in draw(random)]


def stream(generator: Generator, purpose: str) -> Random:
    """What the texts of one check are drawn by: "hidden", or "example 0" and so on."""
    return Random(generator_for(generator.initial_seed(), purpose).initial_seed())


def called(args: Case) -> str:
    """A call by its arguments, for a sentence about what it gives."""
    told = (shown_argument(arg, args[0]) for arg in args)
    return f"For {', '.join(filter(None, told))}"


def shown_argument(arg: Any, text: Any) -> str:
    """An argument as it may be told; of a large vocabulary the pieces that the text has."""
    if isinstance(arg, dict) and len(arg) > _MOST_PIECES:
        pieces = [each for each in arg if each.removeprefix("##") in text]
        if " " in text or not 0 < len(pieces) <= _MOST_PIECES:
            return ""
        return f"a vocabulary that has {', '.join(map(repr, pieces))}"
    if isinstance(arg, dict):
        return f"{{{', '.join(f'{shown_argument(key, key)}: {arg[key]}' for key in arg)}}}"
    if isinstance(arg, list):
        lengths = [len(ids) for ids in arg]
        if len(arg) > _MOST_PIECES:
            return f"{len(arg)} lists of {min(lengths)} to {max(lengths)} ids"
        return f"lists of {lengths} ids" if max(lengths) > _MOST_PIECES else repr(arg)
    if isinstance(arg, str) and len(arg) > 50:
        for unit in (arg[0], arg[: arg.find(" ") + 1]):
            times = arg.count(unit) if unit else 0
            if unit * times == arg:
                return f"{unit!r} * {times}"
    return repr(arg)


def agree_in_parts(got: Any, expected: Any, what: str) -> None:
    """For tensors too, of which each is compared by itself; other checks tell of their number."""
    if not isinstance(expected, tuple):
        agree(got, expected, what=what)
    elif isinstance(got, tuple) and len(got) == len(expected):
        for name, one, other in zip(("input_ids", "attention_mask"), got, expected, strict=True):
            agree(one, other, what=f"{what}: {name}")
