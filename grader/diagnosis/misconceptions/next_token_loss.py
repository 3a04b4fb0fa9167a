"""next_token_loss with its wrong turns: what is asked where, and the mean."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from .function_subject import FunctionSubject, Probe
from .losses import log_chances, reduced
from .switches import NONE, Switches, chosen

# Which logits are asked for which token.
PAIRED: dict[str, Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]] = {
    "not_shifted": lambda logits, ids: (logits, ids),
    "not_shifted_first": lambda logits, ids: (logits[:, :-1], ids[:, :-1]),
    "not_shifted_last": lambda logits, ids: (logits[:, 1:], ids[:, 1:]),
    "backwards": lambda logits, ids: (logits[:, 1:], ids[:, :-1]),
    "two_ahead": lambda logits, ids: (logits[:, :-2], ids[:, 2:]),
    "around": lambda logits, ids: (logits, ids.roll(-1, 1)),
    "around_all": lambda logits, ids: (logits, ids.flatten().roll(-1).view_as(ids)),
    "around_backwards": lambda logits, ids: (logits, ids.roll(1, 1)),
    "across": lambda logits, ids: (logits.flatten(0, 1)[None, :-1], ids.flatten()[None, 1:]),
    "other_sentence": lambda logits, ids: (logits[:-1], ids[1:]),
    "last_guess_lost": lambda logits, ids: (logits[:, :-2], ids[:, 1:-1]),
    "first_guess_lost": lambda logits, ids: (logits[:, 1:-1], ids[:, 2:]),
    "last_alone": lambda logits, ids: (logits[:, -2:-1], ids[:, -1:]),
    "first_sentence": lambda logits, ids: (logits[:1, :-1], ids[:1, 1:]),
    "own_choice": lambda logits, ids: (logits[:, :-1], logits[:, :-1].argmax(-1)),
}


def next_token_loss(logits: Tensor, input_ids: Tensor, on: Switches = NONE) -> Any:
    """The reference with switches."""
    if "changes_its_input" in on:
        logits.sub_(logits.amax(-1, keepdim=True))
    if "softmax_twice" in on:
        logits = logits.softmax(-1)
    if "positions_for_pieces" in on:  # the axes that F.cross_entropy wants, made by a reshape
        shape = (len(logits), logits.shape[-1], logits.shape[1] - 1)
        return F.cross_entropy(logits[:, :-1].reshape(shape), input_ids[:, 1:])
    paired = chosen(PAIRED, on, lambda logits, ids: (logits[:, :-1], ids[:, 1:]))
    guesses, goals = paired(logits, input_ids)
    if "padding_left_out" in on:
        return F.cross_entropy(guesses.flatten(0, -2), goals.flatten(), ignore_index=0)
    if "smoothed" in on:
        return F.cross_entropy(guesses.flatten(0, -2), goals.flatten(), label_smoothing=0.1)
    chances = log_chances(guesses, on)
    losses = -chances.gather(-1, goals.unsqueeze(-1)).squeeze(-1)  # [batch, seq − 1]
    return reduced(losses, logits, on)


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, one sentence alone, and logits that only a stable one survives."""

    def probe(batch: int, seq: int, vocab: int, **more: Any) -> Probe:
        logits = torch.randn(batch, seq, vocab, generator=generator) * 2
        ids = torch.randint(vocab, (batch, seq), generator=generator)
        ids[0, 1] = 0
        return Probe((logits, ids), **more)

    large = torch.tensor([[[500.0, 501.0, 0.0], [0.0, 1.0, 2.0], [-900.0, 0.0, 3.0]]])
    sure = torch.tensor([[[300.0, 0.0, 1.0], [0.0, -200.0, 2.0], [1.0, 1.0, 0.0]]])
    return (
        probe(3, 5, 7, gradient=True),
        probe(2, 7, 4),
        probe(4, 3, 6),
        probe(1, 6, 5, label="one sentence"),
        probe(4, 4, 4, label="all sizes equal"),
        Probe((large, torch.tensor([[2, 0, 2]])), label="large logits"),
        Probe((sure, torch.tensor([[0, 1, 1]])), label="very sure"),
    )


SUBJECTS = (FunctionSubject("next_token_loss", next_token_loss, probes),)
