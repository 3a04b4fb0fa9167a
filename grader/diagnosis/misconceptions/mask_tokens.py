"""mask_tokens with its wrong turns, seen through the shares of many; knows no model."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Generator, Tensor

from .function_subject import Probe, harnessed
from .switches import NONE, Switches, chosen

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# Runs beside the learner's code: asks it three times, twice from the same state of chance.
HARNESS = """
import torch as grader_torch


def grader_mask_tokens(input_ids, vocab, rate, seed):
    given = {} if rate is None else {"rate": rate}
    answers = []
    generator = grader_torch.Generator()
    for start, elsewhere in ((seed, 1), (None, 2), (seed, 3)):
        if start is not None:
            generator = grader_torch.Generator().manual_seed(start)
        grader_torch.default_generator.manual_seed(elsewhere)
        ids = input_ids.clone()
        answer = mask_tokens(ids, dict(vocab), generator, **given)
        pair = answer if isinstance(answer, (tuple, list)) else [answer]
        answers.append([*pair, ids])
    return answers
"""
_SOME = 10  # chosen tokens, of which hardly ever all become [MASK]
_PLENTY = 15  # draws for each piece, of which hardly ever one is never drawn
FEW, MANY = 0.15, 0.5  # the default rate, and one at which more is to be seen
# Below the first number [MASK], from the second one on another piece.
SPLITS = {
    "nothing_masked": (0.0, 0.9),
    "thirds": (1 / 3, 2 / 3),
    "masked_less": (0.4, 0.5),
    "two_draws": (0.8, 0.98),
    "all_others": (0.8, 0.8),
    "never_other": (0.8, 1.1),
    "never_kept": (0.9, 0.9),
}
SPARED = {"padding_chosen": ("[CLS]", "[SEP]"), "padding_alone_spared": ("[PAD]",)}
Draw = Callable[..., Tensor]  # random numbers of a shape
# From the ids, what they became, which were taken, and the id of [MASK].
LABELS: dict[str, Callable[[Tensor, Tensor, Tensor, int], Tensor]] = {
    "labels_are_choices": lambda ids, masked, taken, mask: taken.long(),
    "labels_of_changes_alone": lambda ids, masked, taken, mask: ids.masked_fill(
        masked == ids, -100
    ),
    "labels_of_masks_alone": lambda ids, masked, taken, mask: ids.masked_fill(masked != mask, -100),
    "labels_after": lambda ids, masked, taken, mask: masked.masked_fill(~taken, -100),
    "labels_inverted": lambda ids, masked, taken, mask: ids.masked_fill(taken, -100),
    "labels_everywhere": lambda ids, masked, taken, mask: ids.clone(),
    "labels_zero": lambda ids, masked, taken, mask: ids.masked_fill(~taken, 0),
}


def mask_tokens(
    input_ids: Tensor,
    vocab: dict[str, int],
    generator: Generator,
    rate: float = FEW,
    on: Switches = NONE,
) -> Any:
    """The reference with switches."""
    if "seeded_anew" in on:
        generator = torch.Generator().manual_seed(1)

    def draw(*shape: int) -> Tensor:
        return torch.rand(shape, generator=None if "own_chance" in on else generator)

    taken = _taken(input_ids, vocab, FEW if "rate_fixed" in on else rate, draw, on)
    masked = _masked(input_ids, vocab, taken, draw, on)
    usual = input_ids.masked_fill(~taken, -100)
    make = chosen(LABELS, on, lambda ids, *_: usual)
    labels = make(input_ids, masked, taken, vocab["[MASK]"])
    if "changes_its_input" in on:
        input_ids.copy_(masked)
    if "exchanged" in on:
        return labels, masked
    return masked if "masked_alone" in on else (masked, labels)


def _taken(ids: Tensor, vocab: dict[str, int], rate: float, draw: Draw, on: Switches) -> Tensor:
    spared = chosen(SPARED, on, SPECIAL)
    free = ~torch.isin(ids, torch.tensor([vocab[piece] for piece in spared]))
    if "all_chosen_alike" in on:
        free = torch.ones_like(free)
    score = draw(*ids.shape)
    if "one_row_for_all" in on:
        score = draw(ids.shape[-1]).expand_as(ids)
    count = (free.sum(-1, keepdim=True) * rate).round()
    if "exact_count" in on:
        return free & (score.masked_fill(~free, 2).argsort(-1).argsort(-1) < count)
    if "first_ones" in on:
        return free & (free.cumsum(-1) <= count)
    return free & (score >= rate if "rate_inverted" in on else score < rate)


def _masked(ids: Tensor, vocab: dict[str, int], taken: Tensor, draw: Draw, on: Switches) -> Tensor:
    mask, size = vocab["[MASK]"], len(vocab)
    other = (draw(*ids.shape) * size).long().clamp(max=size - 1)
    if "one_piece_for_all" in on:
        other = other.flatten()[:1].expand_as(ids)
    if "low_pieces_alone" in on:
        other = other // 2
    if "from_the_sentence" in on:
        other = ids.gather(-1, draw(*ids.shape).argsort(-1))
    fate = draw(*ids.shape)
    if "always_masked" in on:
        return ids.masked_fill(taken, mask)
    if "shares_exchanged" in on:
        fate = torch.where(fate < 0.8, 0.85, torch.where(fate < 0.9, 0.1, 0.95))
    masked_until, other_from = chosen(SPLITS, on, (0.8, 0.9))
    reach = torch.ones_like(taken) if "noise_everywhere" in on else taken
    found = ids.masked_fill(taken & (fate < masked_until), mask)
    return torch.where(reach & (fate >= other_from), other, found)


def shares(input_ids: Tensor, vocab: dict[str, int], answers: Any) -> Any:
    """What became of the tokens, in shares; a sentence where that cannot be said."""
    wrong = formed(input_ids, answers)
    if wrong:
        return wrong
    (masked, labels, kept), (further, _, _), (again, again_labels, _) = answers
    labelled = labels != -100
    special = torch.isin(input_ids, torch.tensor([vocab[piece] for piece in SPECIAL]))
    word, mask = ~special, vocab["[MASK]"]
    taken = labelled & word
    other = taken & (masked != input_ids) & (masked != mask)
    rate = _share(labelled, word)
    even = max(rate * (1 - rate), 1e-6)
    count = taken.sum(-1) - rate * word.sum(-1)
    words = word.sum(0).float()
    full = words > len(input_ids) / 2
    columns = (taken.sum(0) / words)[full]
    drawn = masked[other]
    many = len(drawn.unique()) > 3
    usual = torch.arange(len(vocab))
    usual = usual[~torch.isin(usual, torch.tensor([vocab[piece] for piece in SPECIAL]))]
    hidden = taken & (masked == mask)
    form: dict[str, Any] = {
        "a number for each": bool(count.var() > 0.4 * even * word.sum(-1).float().mean()),
        "alike in all sentences": bool(columns.var() > 8 * even / words[full].mean()),
        "the first ones": bool(taken[:, : input_ids.shape[1] // 3].sum() > 0.8 * taken.sum()),
        "fates differ": _differ(hidden, taken, 1) and _differ(hidden, taken, 0),
        "all pieces": len(drawn) < _PLENTY * len(vocab) or bool(torch.isin(usual, drawn).all()),
        "the same again": torch.equal(masked, again) and torch.equal(labels, again_labels),
        "moves on": not torch.equal(masked, further),
        "input kept": torch.equal(kept, input_ids),
    }
    if form["alike in all sentences"]:  # then shares are those of a single row: too few to compare
        return form
    return {
        "chosen": rate,
        "chosen special": tuple(_share(labelled, input_ids == vocab[piece]) for piece in SPECIAL),
        "label is right": _share(labels == input_ids, taken),
        "other labels": _share(labels == -100, ~labelled),
        "as [MASK]": _share(masked == mask, taken),
        "as it was": _share(masked == input_ids, taken),
        "not chosen as it was": _share(masked == input_ids, ~labelled),
        "many pieces": many,
        "of the upper half": many and bool((drawn >= len(vocab) // 2).sum() > 0.2 * len(drawn)),
        **form,
    }


def formed(input_ids: Tensor, answers: Any) -> str:
    """What is wrong with the form of an answer; empty where it is two tensors like the ids."""
    if not isinstance(answers, (list, tuple)) or len(answers) != 3:
        return "no answers"
    for answer in answers:
        if not isinstance(answer, (list, tuple)) or len(answer) != 3:
            count = len(answer) - 1 if isinstance(answer, (list, tuple)) else 0
            return f"It returns {count} part{'s' * (count != 1)}; two tensors were expected."
        for name, part in zip(("masked", "labels"), answer, strict=False):
            if not isinstance(part, Tensor) or part.shape != input_ids.shape:
                found = list(part.shape) if isinstance(part, Tensor) else type(part).__name__
                return f"{name} is {found}; a tensor {list(input_ids.shape)} was expected."
            if part.dtype != torch.int64:
                return f"{name} has dtype {part.dtype}; long ids were expected."
    return ""


def _differ(hidden: Tensor, taken: Tensor, axis: int) -> bool:
    """Whether the chosen tokens of one sentence, or of one place, become different things."""
    counts, hidden = taken.sum(axis), hidden.sum(axis)
    alike = (hidden == 0) | (hidden == counts)
    return _share(alike, counts >= _SOME) < 0.5


def _share(part: Tensor, of: Tensor) -> float:
    count = int(of.sum())
    return float((part & of).sum()) / count if count else 0.0


def sentences(generator: Generator, batch: int, seq: int, size: int) -> tuple[Tensor, Any]:
    """Ids of the lower half of a vocabulary, with special tokens at the ends and in between."""
    order = torch.randperm(size // 2, generator=generator).tolist()
    names = [f"piece{number}" for number in range(size)]
    for piece, place in zip(SPECIAL, order, strict=False):
        names[place] = piece
    numbers = torch.randperm(size, generator=generator).tolist()  # ids in no order
    vocab = {names[number]: number for number in numbers}
    words = torch.tensor([v for v in range(size // 2) if names[v] not in SPECIAL])
    ids = words[torch.randint(len(words), (batch, seq), generator=generator)]
    ids[:, 0] = vocab["[CLS]"]
    length = torch.linspace(seq // 2, seq - 2, batch).long()
    for row in range(batch):
        ids[row, length[row]] = vocab["[SEP]"]
        ids[row, length[row] + 1 :] = vocab["[PAD]"]
    ids[::3, 2], ids[::4, 3] = vocab["[UNK]"], vocab["[MASK]"]
    return ids, vocab


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Many sentences, with half of the tokens chosen, with the usual share, and with all."""

    def probe(rate: float | None, batch: int, seq: int) -> Probe:
        seed = int(torch.randint(10**6, (), generator=generator))
        return Probe((*sentences(generator, batch, seq, 60), rate, seed))

    return probe(MANY, 120, 130), probe(None, 200, 150), probe(1.0, 60, 90)


SUBJECTS = (
    harnessed(
        "mask_tokens",
        HARNESS,
        "grader_mask_tokens",
        lambda on: partial(mask_tokens, on=on),
        probes,
        tolerance=0.04,
        view=lambda probe, answers: shares(probe.args[0], probe.args[1], answers),
    ),
)
