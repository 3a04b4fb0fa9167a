"""Hidden checks of chapter 10's functions: greedy decoding, and the chance of a text."""

from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import known
from ...marking.check import Reference, check
from ...marking.expect import STABLE, again, agree, answers, gradients, untouched, wrong
from ...marking.facts import shown
from ...marking.inputs import far_apart, large, normal, sized
from ..misconceptions.decoder import HARNESS, SUBJECT, score_table, texts


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
    _followed(candidate, torch.zeros(12, 1, 1), 0, 0, 3)  # the only token
    table = score_table(generator, 4, 7)
    table[2, :, 0] += 100  # id 0 is taken from the third place on
    _followed(candidate, table, 2, 4, 10)
    _followed(candidate, table, 0, 4, 5)


@check("greedy_decode")
def test_decode_any_scores(candidate: Candidate, generator: Generator) -> None:
    """Scores may be far below 0, −inf, of any float dtype, and a text may have hundreds of ids."""
    low = score_table(generator, 4, 5) - 300
    _followed(candidate, low, 2, 4, 10)
    _followed(candidate, 1e9 * low, 2, 4, 10)
    single = low.clone()
    single[:, :, 5:] = -torch.inf
    _followed(candidate, 1e30 * single, 2, 4, 10)
    _followed(candidate, 1e-3 * low, 2, 4, 10)
    _followed(candidate, 1e-20 * (low + 300), 2, 4, 10)  # a softmax makes them equal
    far = low.sign() * 3e38 * torch.rand(low.shape, generator=generator)
    _followed(candidate, far, 2, 4, 10, 1)
    endless = score_table(generator, 4, 0, vocab=60)
    endless[:, :, 4] = -50
    _followed(candidate, endless, 2, 4, 800, 1)
    whole = torch.rand(12, 9, 9, generator=generator).argsort(-1).float()  # of which none rounds
    whole[:, :, 4] = -1
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        _followed(candidate, whole.to(dtype), 2, 4, 8, 1)
    close, large = 1 + 1e-12 * whole.double(), 1e299 * whole.double()  # alike in 32 bits
    for table in (close, large):
        _followed(candidate, table, 2, 4, 8, 1)
    many = normal(generator, 1, 1_100, 1_100)
    many[:, :, 1_099] += 100  # the last one comes from then on
    _followed(candidate, many, 2, 4, 4, 1)


@check("greedy_decode")
def test_decode_equal_scores(candidate: Candidate) -> None:
    """Of equal scores any is taken, but one of the tokens: where all are −inf too."""
    for score in (0.0, -torch.inf):
        table = torch.full((12, 5, 5), score)
        ids = candidate.through("grader_greedy_decode", table, 1, 3, 6)["ids"]
        case = f"Where all five tokens have the score {score:g}"
        if ids[:1] != [1] or not 2 <= len(ids) <= 6 or not all(0 <= one < 5 for one in ids):
            raise wrong(
                "{}, {} comes back: start 1, then ids from 0 to 4.", known(case), shown(ids)
            )
        if 3 in ids[1:-1] or (ids[-1] != 3 and len(ids) < 6):
            raise wrong("{}, {} comes back: where does it end?", known(case), shown(ids))


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


@check("sequence_log_prob", weight=3, essential=True)
def test_log_prob(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """It is the sum of the log-chances of each text's tokens."""
    for lengths, vocab, pad_id in (((4, 4, 4), 7, 0), ((2, 5), 6, 5), ((3, 1, 6, 2), 9, 4)):
        goal = texts(generator, lengths, max(lengths) + 1, vocab, pad_id)
        scores = normal(generator, *goal.shape, vocab)
        if len(set(lengths)) == 1:
            goal, scores = goal[:, :-1], scores[:, :-1]
        sizes = sized(batch=len(goal), seq=goal.shape[1], vocab=vocab)
        answers(candidate, reference, scores, goal, pad_id, sizes=sizes)
    again(candidate, scores, goal, pad_id)


@check("sequence_log_prob", weight=2)
def test_log_prob_padding(candidate: Candidate, generator: Generator) -> None:
    """Padding counts for nothing, whatever its scores are, and id 0 may be a token."""
    for pad_id in (0, 3):
        goal = texts(generator, (2, 4, 1), 5, 6, pad_id)
        goal[0, 0] = 0 if pad_id else 1
        scores = normal(generator, 3, 5, 6)
        other = torch.where((goal == pad_id).unsqueeze(-1), scores * 200 + 30, scores)
        first = candidate(scores, goal, pad_id)
        case = "With other scores at the padding"
        agree(candidate(other, goal, pad_id), first, 1e-4, what=case)


@check("sequence_log_prob")
def test_log_prob_edges(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A single token, padding alone, padding in the middle, and scores of 0."""
    single = normal(generator, 1, 1, 4), torch.tensor([[2]]), 0
    answers(candidate, reference, *single, what="For a single token")
    each = normal(generator, 5, 1, 4), torch.tensor([[2], [1], [0], [3], [3]]), 1
    answers(candidate, reference, *each, what="For five texts of one place")
    alone = normal(generator, 3, 3, 4), torch.tensor([[0, 0, 0], [1, 2, 3], [0, 0, 0]]), 0
    answers(candidate, reference, *alone, what="With rows of padding alone")
    middle = normal(generator, 1, 4, 5), torch.tensor([[1, 4, 2, 4]]), 4
    answers(candidate, reference, *middle, what="With padding in the middle")
    zeros = torch.zeros(2, 3, 5), torch.tensor([[0, 4, 1], [2, 2, 0]]), 1
    answers(candidate, reference, *zeros, what="With scores of 0")
    scores = normal(generator, large(generator), 2, 3)
    goal = torch.randint(3, scores.shape[:2], generator=generator)
    answers(candidate, reference, scores, goal, 1, what=f"For {len(scores)} texts")


@check("sequence_log_prob")
def test_log_prob_stable(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Scores near 1000 and −1000 give neither inf nor nan, and unlikely tokens count in full."""
    scores = normal(generator, 2, 3, 4) + torch.tensor([1000.0, -1000.0]).view(2, 1, 1)
    goal = torch.tensor([[0, 3, 1], [2, 2, 0]])
    answers(candidate, reference, scores, goal, 3, tolerance=STABLE)
    far = 300 * normal(generator, 2, 3, 4)
    answers(candidate, reference, far, goal, 1, tolerance=STABLE)
    beyond = far_apart(generator, 2, 3, 4)
    what = "With scores of tens of thousands"
    for goal in (beyond.argmax(-1), beyond.argmin(-1)):
        answers(candidate, reference, beyond, goal, 0, tolerance=STABLE, what=what)


@check("sequence_log_prob")
def test_log_prob_stays(candidate: Candidate, generator: Generator) -> None:
    """Scores and goal stay as they are, and may lie in memory in any way."""
    given = normal(generator, 2, 3, 5), torch.tensor([[1, 2, 4], [0, 4, 4]]), 4
    untouched(candidate, *given)


@check("sequence_log_prob")
def test_log_prob_gradient(
    candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Gradients flow back to the scores, and are right."""
    given = normal(generator, 2, 3, 5), torch.tensor([[1, 2, 0], [4, 0, 0]]), 0
    gradients(candidate, reference, *given, generator=generator)
