"""Tries inputs that a seed draws: first examples that may be told, then cases that are not."""

from collections.abc import Callable, Sequence
from random import Random

from torch import Generator

from ...candidate.seeds import generator_for
from ...marking.expect import wrong
from ...wall.transport import WorkerDied
from ...wall.zygote_client import ZygoteDied

Case = tuple[object, ...]  # the arguments of one call
_ROUNDS = 6  # of examples, where a case that is not told came out wrong


def tried(
    draw: Callable[[Random], Sequence[Case]], one: Callable[..., None], generator: Generator
) -> None:
    """Try `one` on what `draw` gives; what is told comes from examples alone.

    Examples and hidden cases come of two streams of one generator. The first of each is tried
    once more at the end: what an earlier call has left plays no part. Of what ends the process on a
    hidden case neither the case is told nor the status or the line, which may be chosen by it.
    """
    _examples(draw, one, generator, 0)
    cases = draw(_stream(generator, "hidden"))
    try:
        for case in (*cases, cases[0]):
            one(*case)
    except WorkerDied as died:
        raise WorkerDied(died.kind, died.words) from None
    except ZygoteDied:
        raise
    except Exception:  # a finding, an error of the code, or an answer that trips the check
        for number in range(1, _ROUNDS):
            _examples(draw, one, generator, number)
        raise wrong(
            "All examples that may be told come out right, and another input of this kind does "
            "not. On what does the answer depend that no example has?"
        ) from None


def _examples(
    draw: Callable[[Random], Sequence[Case]],
    one: Callable[..., None],
    generator: Generator,
    number: int,
) -> None:
    """The short ones first, as they say the most."""
    cases = sorted(draw(_stream(generator, f"example {number}")), key=lambda case: len(repr(case)))
    for case in (*cases, cases[0]):
        one(*case)


def _stream(generator: Generator, purpose: str) -> Random:
    return Random(generator_for(generator.initial_seed(), purpose).initial_seed())
