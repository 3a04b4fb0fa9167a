"""Known wrong turns of the GELU: approximations, lost factors, other activations."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()
_ROOT = math.sqrt(2 / math.pi)


def _cumulative(x: Tensor) -> Tensor:
    return (1 + torch.erf(x / math.sqrt(2))) / 2


VARIANTS: dict[str, Callable[[Tensor], Tensor]] = {
    "tanh": lambda x: x * (1 + torch.tanh(_ROOT * (x + 0.044715 * x**3))) / 2,
    "sigmoid": lambda x: x * torch.sigmoid(1.702 * x),
    "no_root": lambda x: x * (1 + torch.erf(x)) / 2,
    "no_half": lambda x: x * (1 + torch.erf(x / math.sqrt(2))),
    "halved_twice": lambda x: x * _cumulative(x) / 2,
    "relu": torch.relu,
    "silu": lambda x: x * torch.sigmoid(x),
    "chance_alone": _cumulative,
    "no_one": lambda x: x * torch.erf(x / math.sqrt(2)),
    "no_one_halved": lambda x: x * torch.erf(x / math.sqrt(2)) / 2,
    "one_minus": lambda x: x * (1 - torch.erf(x / math.sqrt(2))) / 2,
    "by_two": lambda x: x * (1 + torch.erf(x / 2)) / 2,
    "times_root": lambda x: x * (1 + torch.erf(x * math.sqrt(2))) / 2,
    "density": lambda x: x * torch.exp(-x * x / 2) / math.sqrt(2 * math.pi),
    "one_outside": lambda x: x + x * torch.erf(x / math.sqrt(2)) / 2,
    "precedence": lambda x: x * 0.5 + torch.erf(x / math.sqrt(2)),
    "tanh_not_cubed": lambda x: x * (1 + torch.tanh(_ROOT * (x + 0.044715 * x))) / 2,
    "tanh_squared": lambda x: x * (1 + torch.tanh(_ROOT * (x + 0.044715 * x**2))) / 2,
    "tanh_no_cubic": lambda x: x * (1 + torch.tanh(_ROOT * x)) / 2,
    "tanh_misplaced": lambda x: x * (1 + torch.tanh(_ROOT * x + 0.044715 * x**3)) / 2,
    "tanh_no_factor": lambda x: x * (1 + torch.tanh(x + 0.044715 * x**3)) / 2,
    "leaky": lambda x: F.leaky_relu(x),
    "elu": lambda x: F.elu(x),
    "softplus": lambda x: F.softplus(x),
    "tanh_alone": torch.tanh,
    "identity": lambda x: x * 1,
}


def gelu(x: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "detached" in on:
        x = x.detach()
    result = x * _cumulative(x)
    for name, variant in VARIANTS.items():
        if name in on:
            result = variant(x)
    if "double" in on:
        result = result.double()
    if "in_place" in on:
        return x.mul_(_cumulative(x))
    return result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Ordinary numbers, the places where approximations are worst, and a few axes."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    telling = torch.tensor([-2.7, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 2.7, 3.5, -3.5])
    return (
        Probe((telling,), label="telling numbers"),
        Probe((draw(3, 5) * 2,), gradient=True),
        Probe((draw(2, 3, 4),)),
        Probe((torch.tensor([[-12.0, 12.0], [-30.0, 30.0]]),), label="large numbers"),
    )


_AT_ONE = "What is the chance that a standard normal lies below 1, and what is GELU(1) then?"
_TAIL = "How far is it from the exact one at ±2.7?"
MISCONCEPTIONS = (
    Misconception(
        "tanh",
        "This is the tanh approximation of the GELU: off by up to 0.0005, which shows once real "
        "weights are loaded.",
        _TAIL,
    ),
    Misconception(
        "no_root",
        "erf is taken of x itself, without the division by √2: the step from 0 to x is too steep.",
        _AT_ONE,
    ),
    Misconception(
        "no_half",
        "The factor ½ is missing: everything is twice as large, and large x become 2x.",
        "What should GELU(x) come to for a large x?",
    ),
    Misconception(
        "relu",
        "This is the ReLU: negative numbers are cut off at 0 sharply.",
        "What is the chance that a standard normal lies below −1, and what is GELU(−1) then?",
    ),
    Misconception(
        "sigmoid",
        "This is the sigmoid approximation x·σ(1.702x): off by up to 0.02.",
        _TAIL,
    ),
    Misconception(
        "silu",
        "This is SiLU (swish), x·σ(x): the chance is that of a logistic variable, not of a normal "
        "one.",
        _AT_ONE,
    ),
    Misconception(
        "chance_alone",
        "The chance Φ(x) comes back by itself: it is never multiplied by x.",
        "What should GELU(x) come to for a large x?",
    ),
    Misconception(
        "no_one",
        "The 1 and the ½ are missing: x·erf(x/√2) is positive on both sides.",
        "What does erf give for large negative numbers, and what should the chance be there?",
    ),
    Misconception(
        "no_one_halved",
        "The 1 is missing: x·erf(x/√2)/2 is positive on both sides, and large x become x/2.",
        "What does erf give for large negative numbers, and what should the chance be there?",
    ),
    Misconception(
        "one_minus",
        "The sign of erf is turned around: the chance that a normal lies above x, not below.",
        "Should a large x be let through, or stopped?",
    ),
    Misconception(
        "halved_twice",
        "The factor ½ is applied twice: large x become x/2.",
        "What should GELU(x) come to for a large x?",
    ),
    Misconception(
        "by_two",
        "x is divided by 2 inside erf instead of by √2: the step is not steep enough.",
        _AT_ONE,
    ),
    Misconception(
        "times_root",
        "x is multiplied by √2 inside erf instead of divided: the step is too steep.",
        _AT_ONE,
    ),
    Misconception(
        "density",
        "x is multiplied by the density of the normal, not by the chance to lie below x.",
        "What should GELU(x) come to for a large x?",
    ),
    Misconception(
        "one_outside",
        "The 1 stands outside of the halved bracket: x + x·erf(x/√2)/2.",
        "What should GELU(x) come to for large x, and what for very negative x?",
    ),
    Misconception(
        "precedence",
        "The brackets are lost: x/2 and erf(x/√2) are added instead of multiplied.",
        "In which order are the product and the sum carried out?",
    ),
    Misconception(
        "tanh_not_cubed",
        "A tanh approximation whose cubic term is not cubed.",
        "Which power does the second term in the bracket have, and is an approximation wanted at "
        "all?",
    ),
    Misconception(
        "tanh_squared",
        "A tanh approximation whose cubic term is only squared.",
        "Which power does the second term in the bracket have, and is an approximation wanted at "
        "all?",
    ),
    Misconception(
        "tanh_no_cubic",
        "A tanh approximation without its cubic term.",
        "Which formula is the exact one, without any tanh?",
    ),
    Misconception(
        "tanh_misplaced",
        "A tanh approximation whose cubic term stands outside of the bracket that √(2/π) "
        "multiplies.",
        "What does √(2/π) multiply, and is an approximation wanted at all?",
    ),
    Misconception(
        "tanh_no_factor",
        "A tanh approximation without its factor √(2/π).",
        "Which formula is the exact one, without any tanh?",
    ),
    Misconception(
        "leaky",
        "This is the leaky ReLU: a straight line of slope 0.01 on the negative side.",
        "What should GELU(x) come to for very negative x?",
    ),
    Misconception(
        "elu",
        "This is the ELU: on the negative side it goes to −1.",
        "What should GELU(x) come to for very negative x?",
    ),
    Misconception(
        "softplus",
        "This is the softplus: it is never negative, and ln 2 at 0.",
        "What should GELU(0) be?",
    ),
    Misconception(
        "tanh_alone",
        "This is the tanh by itself: it never exceeds 1.",
        "What should GELU(x) come to for a large x?",
    ),
    Misconception(
        "identity",
        "Everything comes back as it was: there is no activation.",
        "What should GELU(x) come to for very negative x?",
    ),
    Misconception(
        "double",
        "The values are right but come back as float64, while the input is float32.",
        "Which of your numbers carries the wider dtype in?",
    ),
    Misconception(
        "in_place",
        "The values are right, but the input is overwritten on the way.",
        "Which of your operations writes into the tensor that it is given?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches x.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)

SUBJECTS = (FunctionSubject("gelu", gelu, probes, MISCONCEPTIONS),)
