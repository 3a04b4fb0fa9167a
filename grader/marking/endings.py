"""Says of a worker how it ended; knows no exercise, and judges nothing."""

from ..candidate.message import Choice, Field, aside, known
from ..wall.transport import WorkerDied

_WAYS = 10  # in which one ends, that the wall and a notebook have words for


def ending(died: WorkerDied, *, begins: bool = False) -> tuple[Field, Field, Field]:
    """Words for it, a number or a text that its code may have chosen, and what it was given.

    `begins`: a sentence begins with it.
    """
    words = f"{died.words[:1].upper()}{died.words[1:]}" if begins else died.words
    how = aside(*died.how) if died.how else known("")
    return Choice(words, _WAYS), how, known(died.case)
