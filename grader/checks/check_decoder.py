"""Hidden checks of chapter 10's function: greedy decoding over a table of scores."""

from typing import Any

import torch
from torch import Generator, Tensor

from ..candidate.candidate import Candidate
from ..diagnosis.misconceptions.greedy_decode import HARNESS, SUBJECT, score_table
from . import check
from .expect import agree, wrong


def _decode(
    candidate: Candidate, generator: Generator, start: int, end: int, end_at: int, length: int
) -> Any:
    return _followed(candidate, score_table(generator, end, end_at), start, end, length)


def _followed(
    candidate: Candidate, table: Tensor, start: int, end: int, length: int, *seen: int
) -> Any:
    """The candidate's report, after its ids were found to be the reference's."""
    args = (table, start, end, length, *seen)
    got = candidate.through("grader_greedy_decode", *args)
    expected = SUBJECT.run(*args)
    if got["kind"] not in ("list", "tuple"):
        raise wrong("It returns a {}; a list of ids was expected.", got["kind"])
    case = f"With start_id={start}, end_id={end} and max_length={length}"
    agree(got["ids"], expected["ids"], what=case)
    return got


@check("greedy_decode", weight=3, essential=True, harness=HARNESS)
def test_decode(candidate: Candidate, generator: Generator) -> None:
    """The best token is taken every time, given all before it, until the end token."""
    for start, end, end_at, length in ((2, 4, 5, 10), (0, 6, 3, 9), (1, 8, 4, 12)):
        _decode(candidate, generator, start, end, end_at, length)


@check("greedy_decode", weight=2, essential=True)
def test_decode_length(candidate: Candidate, generator: Generator) -> None:
    """Where the end token does not come, the sequence has max_length ids, the start counted."""
    for start, end, length in ((1, 3, 7), (2, 5, 4), (4, 0, 10), (3, 1, 40)):
        _decode(candidate, generator, start, end, 0, length)


@check("greedy_decode")
def test_decode_edges(candidate: Candidate, generator: Generator) -> None:
    """An end at once, an end just in time, id 0 as a word and as the end, max_length 1 and 2."""
    for start, end, end_at, length in ((7, 2, 1, 6), (0, 6, 3, 4), (1, 8, 2, 2), (3, 8, 0, 1)):
        _decode(candidate, generator, start, end, end_at, length)
    _decode(candidate, generator, 5, 0, 4, 9)  # id 0 ends it
    table = score_table(generator, 4, 7)
    table[2, :, 0] += 100  # id 0 is taken from the third place on
    _followed(candidate, table, 2, 4, 10)
    _followed(candidate, table, 0, 4, 5)


@check("greedy_decode")
def test_decode_any_scores(candidate: Candidate, generator: Generator) -> None:
    """Scores may all be far below 0, some −inf, and a text may have hundreds of ids."""
    low = score_table(generator, 4, 5) - 300
    _followed(candidate, low, 2, 4, 10)
    _followed(candidate, 1e9 * low, 2, 4, 10)
    single = low.clone()
    single[:, :, 5:] = -torch.inf
    _followed(candidate, single, 2, 4, 10)
    endless = score_table(generator, 4, 0)
    endless[:, :, 4] = -50
    _followed(candidate, endless, 2, 4, 300, 1)


@check("greedy_decode")
def test_decode_start_is_end(candidate: Candidate, generator: Generator) -> None:
    """The start never ends the sequence, even where it is the end token."""
    _decode(candidate, generator, 5, 5, 4, 8)


@check("greedy_decode")
def test_decode_type(candidate: Candidate, generator: Generator) -> None:
    """A list of plain numbers comes back."""
    got = _decode(candidate, generator, 2, 4, 5, 10)
    if got["kind"] != "list":
        raise wrong("It returns a {}; a list was expected.", got["kind"])
    if not got["plain"]:
        raise wrong("The list holds something else than plain numbers, tensors perhaps.")
