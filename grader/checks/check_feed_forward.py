"""Hidden checks of chapter 06's function: the exact GELU."""

import torch
from torch import Generator

from ..candidate.candidate import Candidate
from . import Reference, check
from .expect import again, answers, gradients, normal, untouched


@check("gelu", weight=3, essential=True)
def test_gelu(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Every number is multiplied by the chance that a standard normal is below it, exactly."""
    telling = torch.tensor([[-2.7, -2.0, -1.0, -0.5], [0.0, 1.0, 2.0, 2.7]])
    answers(candidate, reference, telling)
    for shape in ((3, 5), (2, 4, 7)):
        x = normal(generator, *shape) * 2
        answers(candidate, reference, x)
    again(candidate, x)


@check("gelu")
def test_gelu_large(candidate: Candidate, reference: Reference) -> None:
    """Large numbers come back as they are, very negative ones as 0."""
    answers(candidate, reference, torch.tensor([-30.0, -12.0, -6.0, 6.0, 12.0, 30.0]))


@check("gelu")
def test_gelu_shapes(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Any number of axes is as good as another."""
    for shape in ((4,), (2, 3, 4, 5)):
        answers(candidate, reference, normal(generator, *shape), what=f"For shape {list(shape)}")


@check("gelu")
def test_gelu_stays(candidate: Candidate, generator: Generator) -> None:
    """The input stays as it is."""
    untouched(candidate.run(normal(generator, 3, 4)), "x")


@check("gelu")
def test_gelu_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow through it, and are right."""
    x = normal(generator, 3, 4)
    gradients(candidate, reference, x, generator=generator, names=("x",))
