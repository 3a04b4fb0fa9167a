"""Checks of modules that are right on ordinary inputs, on a single token and with sharp scores."""

import torch
from torch import Generator

from ..candidate.candidate import Candidate
from ..diagnosis.interpretation.asked_again import STACKS, at_hidden_positions
from ..diagnosis.interpretation.evidence import near
from ..diagnosis.interpretation.layouts import evaluate
from ..diagnosis.interpretation.sizes import STACK
from .check_modules import LONGER, each
from .expect import agree, wrong
from .module_evidence import right_ones, subject_of


@each((*LONGER, "AttentionHead", "MultiHeadAttention"))
def test_single_token(exercise: str, candidate: Candidate, seed: int, generator: Generator) -> None:
    """A sentence of a single token comes out right, alone in its batch too, and one of the most."""
    subject = subject_of(exercise)
    assert subject.single is not None
    evidence, right = right_ones(exercise, candidate, seed)
    args = subject.single(generator).args
    longest = [part[:1].repeat_interleave(STACK.positions, 1) for part in args]
    cases = {
        "For sentences of a single token": args,
        "For a single token alone": [part[:1] for part in args],
        f"For a sentence of {STACK.positions} tokens": longest,
    }
    for what, given in cases.items():
        with torch.no_grad():
            expected = subject.run(evaluate(right.parts, evidence.values), *given)
        agree(evidence.module(*given), expected, subject.tolerance, what)


@each(STACKS)
def test_hidden_positions(
    exercise: str, candidate: Candidate, seed: int, generator: Generator
) -> None:
    """What stands at hidden positions makes no difference to the others."""
    subject = subject_of(exercise)
    evidence, right = right_ones(exercise, candidate, seed)
    found = at_hidden_positions(subject, evidence, right, generator)
    if found is not None and not near(*found, subject.tolerance):
        raise wrong(
            "With queries and keys three times as long, and other ids at the hidden positions, "
            "the answer at the others changes: some of what the mask hides is still let "
            "through."
        )
