"""Checks of modules that are right on ordinary inputs, with sharp scores."""

from __future__ import annotations

from torch import Generator

from ..candidate import Candidate
from ..interpretation.evidence import near
from ..interpretation.registry import module_subject
from ..interpretation.sharp import STACKS, at_hidden_positions
from .check_modules import each, right_ones
from .expect import Wrong


@each(STACKS)
def test_hidden_positions(
    exercise: str, candidate: Candidate, seed: int, generator: Generator
) -> None:
    """What stands at hidden positions makes no difference to the others."""
    subject = module_subject(exercise)
    assert subject is not None
    evidence, right = right_ones(exercise, candidate, seed)
    found = at_hidden_positions(subject, evidence, right, generator)
    if found is not None and not near(*found, subject.tolerance):
        raise Wrong(
            "With queries and keys three times as long, and other ids at the hidden positions, the "
            "answer at the others changes: some of what the mask hides is still let through."
        )
