"""Checks of LayerNorm alone: what it begins with, and tokens on which rounding shows."""

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import Message, joined, say
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.search import interpret
from ...marking.expect import agree, wrong
from ...marking.module_evidence import observed, subject_of
from ..modules.module_subjects import NORM_EPS
from ..modules.own_behaviour import fresh_norm
from .check_modules import each

NORM = ("LayerNorm",)


@each(NORM)
def test_fresh_norm(exercise: str, candidate: Candidate, seed: int) -> None:
    """A fresh one has scale 1 and shift 0 for every feature."""
    evidence = observed(subject_of(exercise), candidate, seed)
    held = sum(value.numel() for value in evidence.fresh.values())
    hidden = evidence.probes[0].args[0].shape[-1]
    if held < 2 * hidden:
        raise wrong(
            "Made for {} features, it holds {} learned numbers in all. How many does the "
            "docstring promise for each feature?",
            hidden,
            held,
        )
    if not fresh_norm(evidence, interpret(evidence)):
        begins = _beginning(evidence)
        raise wrong("It begins with {}. Which numbers leave a token as it is?", begins)


@each(NORM)
def test_delicate_tokens(exercise: str, candidate: Candidate, generator: Generator) -> None:
    """Tiny, constant and far-off tokens come out right, with the default ε."""
    module = candidate.build(7)
    x = torch.randn(2, 4, 7, generator=generator)
    _default_epsilon(x * 1e-4, module(x * 1e-4))
    cases = {
        "tokens 10,000 times smaller": (x * 1e-4, 1e-4),
        "tokens 100,000 times smaller": (x * 1e-5, 1e-2),
        "tokens far from zero": (x + 1e3, 5e-3),
        # What rounding leaves of 0.5 − 0.5 counts for much over √ε: nan is what must not be.
        "a constant token": (torch.full((1, 2, 7), 0.5), 0.2),
    }
    for what, (tokens, tolerance) in cases.items():
        expected = torch.nn.functional.layer_norm(tokens.double(), (7,), eps=1e-12).float()
        agree(module(tokens), expected, tolerance, f"For {what}")
    for wide in (600, 2_051):
        peaks = torch.zeros(1, 10, wide)
        peaks[0, range(10), range(wide // 11, wide, wide // 10)] = 1
        expected = torch.nn.functional.layer_norm(peaks, (wide,), eps=1e-12)
        what = f"Where one feature is far above {wide - 1} others"
        agree(candidate.build(wide)(peaks), expected, 1e-4, what)
    agree(candidate.build(1)(x[..., :1]), torch.zeros(2, 4, 1), 1e-6, "With a single feature")
    expected = torch.nn.functional.layer_norm(x.double() * 1e-6, (7,), eps=0.0).float()
    agree(candidate.build(7, 0.0)(x * 1e-6), expected, 1e-4, "With an ε of 0")


@each(NORM)
def test_same_in_training(exercise: str, candidate: Candidate, generator: Generator) -> None:
    """It does the same in training as in evaluation."""
    module = candidate.build(7, NORM_EPS)
    x = torch.randn(3, 4, 7, generator=generator)
    training = module.run(x, train=True).value
    agree(training, module.run(x).value, 1e-6, "Training and evaluation differ")


def _default_epsilon(x: Tensor, got: object) -> None:
    """Raise Wrong where an ε other than the default explains every number of the answer."""
    if not isinstance(got, Tensor) or got.shape != x.shape:
        return
    centred = x.double() - x.double().mean(-1, keepdim=True)
    found = (centred / got.double()).square() - centred.square().mean(-1, keepdim=True)
    epsilon = float(found.median())
    alike = (found - epsilon).abs() < 0.01 * epsilon
    if epsilon > 1e-11 and bool(alike.all()):
        raise wrong(
            "Made without an ε, it computes with {:.2g}. Which does the signature say?", epsilon
        )


def _beginning(evidence: Evidence) -> Message:
    """What stands in fresh parameters: 1 everywhere in weight, 0 everywhere in bias."""
    counts = []
    for name, value in list(evidence.fresh.items())[:3]:
        low, high = float(value.min()), float(value.max())
        same = say("{:g} everywhere", low)
        numbers = same if low == high else say("{:.3g} to {:.3g}", low, high)
        counts.append(say("{} in {}", numbers, name))
    return joined(", ", counts)
