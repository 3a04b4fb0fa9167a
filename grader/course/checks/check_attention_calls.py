"""Checks of attention modules over several calls; knows no parameters and no expected numbers."""

import torch

from ...candidate.candidate import Candidate
from ...checks.expect import agree
from ...checks.module_evidence import right_ones
from .check_modules import each


@each(("AttentionHead", "MultiHeadAttention"))
def test_calls(exercise: str, candidate: Candidate, seed: int) -> None:
    """Each call answers for itself: a mask of an earlier call counts no more."""
    evidence, _ = right_ones(exercise, candidate, seed)
    x = evidence.probes[0].args[0]
    everything = torch.ones(len(x), 1, x.shape[1], dtype=torch.bool)
    one = everything.clone()
    one[..., -1] = False
    other = one.flip(-1)
    # Side by side in one call, of a shape not asked for before, nothing earlier can count.
    together = evidence.module(torch.cat([x] * 3), torch.cat([one, other, everything]))
    calls = (
        ("With a mask", (x, one)),
        ("With a second mask of the same shape", (x, other)),
        ("Without a mask, after calls with one", (x,)),
    )
    for (case, given), expected in zip(calls, together.chunk(3), strict=True):
        agree(evidence.module(*given), expected, what=case)
