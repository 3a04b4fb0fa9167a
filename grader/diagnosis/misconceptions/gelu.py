"""gelu with its wrong turns: approximations, lost factors, other activations."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from .function_subject import FunctionSubject, Probe, standard_normal
from .switches import NONE, Switches, chosen

_ROOT = math.sqrt(2 / math.pi)


def _cumulative(x: Tensor) -> Tensor:
    return (1 + torch.erf(x / math.sqrt(2))) / 2


# What is taken for GELU, in the function and inside of a feed-forward network.
VARIANTS: dict[str, Callable[[Tensor], Tensor]] = {
    "gelu_tanh": lambda x: x * (1 + torch.tanh(_ROOT * (x + 0.044715 * x**3))) / 2,
    "gelu_sigmoid": lambda x: x * torch.sigmoid(1.702 * x),
    "gelu_without_root": lambda x: x * (1 + torch.erf(x)) / 2,
    "gelu_without_half": lambda x: x * (1 + torch.erf(x / math.sqrt(2))),
    "halved_twice": lambda x: x * _cumulative(x) / 2,
    "relu": torch.relu,
    "silu": lambda x: x * torch.sigmoid(x),
    "gelu_without_x": _cumulative,
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
    "leaky_relu": F.leaky_relu,
    "elu": F.elu,
    "softplus": F.softplus,
    "tanh_activation": torch.tanh,
    "no_activation": lambda x: x * 1,
    "sigmoid_activation": torch.sigmoid,
}


def gelu(x: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "changes_its_input" in on:
        return x.mul_(_cumulative(x))
    result = chosen(VARIANTS, on, lambda x: x * _cumulative(x))(x)
    return result.double() if "double" in on else result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Ordinary numbers, the places where approximations are worst, and a few axes."""
    draw = standard_normal(generator)
    telling = torch.tensor([-2.7, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 2.7, 3.5, -3.5])
    return (
        Probe((telling,), label="telling numbers"),
        Probe((draw(3, 5) * 2,), gradient=True),
        Probe((draw(2, 3, 4),)),
        Probe((torch.tensor([[-12.0, 12.0], [-30.0, 30.0]]),), label="large numbers"),
    )


SUBJECTS = (FunctionSubject("gelu", gelu, probes),)
