"""Hidden checks of chapter 06's function: the exact GELU."""

import torch
from torch import Generator

from ...candidate.candidate import Candidate
from ...marking.check import Reference, check
from ...marking.expect import again, answers, gradients, untouched
from ...marking.inputs import normal, one_large

# Where four digits of 1/√2 show most, they are off by 2.6e-6, and right formulas by less than 1e-7.
_CLOSELY = 1e-6


@check("gelu", weight=3, essential=True)
def test_gelu(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Every number is multiplied by the chance that a standard normal is below it, exactly."""
    telling = torch.tensor([[-2.7, -2.0, -1.0, -0.5, 0.0], [0.0, 1.0, 2.0, 2.7, 3.5]])
    answers(candidate, reference, telling)
    steep = -1.2 - 0.4 * torch.rand(5, generator=generator)
    answers(candidate, reference, steep, tolerance=_CLOSELY)
    for shape in ((3, 5), (2, 4, 7)):
        x = normal(generator, *shape) * 2
        answers(candidate, reference, x)
    again(candidate, x)


@check("gelu")
def test_gelu_large(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Large numbers come back as they are, very negative ones as 0."""
    x = torch.tensor([-30.0, -12.0, -7.0, 7.0, 12.0, 30.0])
    answers(candidate, reference, x + torch.rand(6, generator=generator))
    for far in (1e4, 1e20):
        answers(candidate, reference, torch.tensor([-far, far]), what=f"For −{far:g} and {far:g}")


@check("gelu")
def test_gelu_shapes(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Any number of axes is as good as another, none too, and so is an empty tensor."""
    for shape in ((4,), (2, 3, 4, 5), (), (1, 1), (0, 3), *one_large(generator, 2, 3)):
        answers(candidate, reference, normal(generator, *shape), what=f"For shape {list(shape)}")


@check("gelu")
def test_gelu_stays(candidate: Candidate, generator: Generator) -> None:
    """The input stays as it is, and may lie in memory in any way."""
    untouched(candidate, normal(generator, 3, 4))


@check("gelu")
def test_gelu_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow through it, and are right."""
    far = torch.tensor([0.0, -2.7, 2.7, -12.0, 12.0])
    for x in (normal(generator, 3, 4), far, torch.zeros(2, 3)):
        gradients(candidate, reference, x, generator=generator)
