"""sinusoidal_encoding with its wrong turns: frequencies, parity, places."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe
from .switches import NONE, Switches, applied, chosen

Waves = tuple[Tensor, Tensor]
BASES = {"base_1000": 1e3, "base_100000": 1e5, "log_to_ten": math.exp(4)}
POSITIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "from_one": lambda position: position + 1,
    "relative": lambda position: position / len(position),
    "zero_to_one": lambda position: position / (len(position) - 1),
}
WAVES: dict[str, Callable[[Waves], Waves]] = {  # of sine and cosine
    "sine_twice": lambda waves: (waves[0], waves[0]),
    "cosine_twice": lambda waves: (waves[1], waves[1]),
    "cosine_first": lambda waves: (waves[1], waves[0]),
}
EXPONENTS: dict[str, Callable[[Tensor, float], Tensor]] = {  # of the pairs, and the width
    "exponent_doubled": lambda exponent, width: 2 * exponent,
    "exponent_halved": lambda exponent, width: exponent / 2,
    "from_pair_one": lambda exponent, width: exponent + 2 / width,
    "multiplied": lambda exponent, width: -exponent,
}
AFTER: dict[str, Callable[[Tensor], Tensor]] = {
    "transposed": lambda table: table.T,
    "batch_axis": lambda table: table.unsqueeze(0),
}


def sinusoidal_encoding(max_len: int, hidden_size: int, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "one_row_more" in on:
        return sinusoidal_encoding(max_len + 1, hidden_size, on - {"one_row_more"})
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    position = applied(POSITIONS, on, position)
    angle = position * _frequency(hidden_size, on)
    waves = angle.sin(), angle.cos()
    if "column_exponent" in on:
        exponent = torch.arange(hidden_size, dtype=torch.float64) / hidden_size
        exponent = 2 * exponent if "exponent_doubled" in on else exponent
        every = position / chosen(BASES, on, 1e4) ** exponent
        waves = every[:, 0::2].sin(), every[:, 1::2].cos()
    if "angles" in on:
        waves = angle, angle
    sine, cosine = applied(WAVES, on, waves)
    if "halves" in on:
        result = torch.cat((sine, cosine), 1)
    else:
        result = torch.stack((sine, cosine), 2).flatten(1)
    result = applied(AFTER, on, result)
    return result if "double" in on else result.float()


def _frequency(hidden_size: int, on: Switches) -> Tensor:
    pair = torch.arange(hidden_size // 2, dtype=torch.float64)
    base, width = chosen(BASES, on, 1e4), float(hidden_size)
    if "integer_division" in on:
        return torch.exp(2 * pair * ((-math.log(base) / width) // 2))
    if "spread_to_end" in on:
        width = max(width - 2, 1)
    return base ** -applied(EXPONENTS, on, 2 * pair / width, width)


def wave_probes(generator: Generator) -> tuple[Probe, ...]:
    """Small sizes, so that even wrong frequencies come out the same in every formulation."""
    return (Probe((5, 6)), Probe((6, 4)), Probe((4, 10)), Probe((3, 2)))


SUBJECTS = (FunctionSubject("sinusoidal_encoding", sinusoidal_encoding, wave_probes, 2e-3),)
