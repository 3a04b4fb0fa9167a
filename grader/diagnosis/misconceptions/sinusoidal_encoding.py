"""sinusoidal_encoding with its wrong turns: frequencies, parity, places."""

import math

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe
from .switches import NONE, Switches, chosen


def sinusoidal_encoding(max_len: int, hidden_size: int, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    if "from_one" in on:
        position = position + 1
    if "relative" in on:
        position = position / max_len
    if "zero_to_one" in on:
        position = position / (max_len - 1)
    angle = position * _frequency(hidden_size, on)
    sine, cosine = angle.sin(), angle.cos()
    if "column_exponent" in on:
        exponent = torch.arange(hidden_size, dtype=torch.float64) / hidden_size
        every = position / _base(on) ** (2 * exponent if "exponent_doubled" in on else exponent)
        sine, cosine = every[:, 0::2].sin(), every[:, 1::2].cos()
    if "sine_twice" in on:
        cosine = sine
    if "cosine_twice" in on:
        sine = cosine
    if "angles" in on:
        sine = cosine = angle
    if "cosine_first" in on:
        sine, cosine = cosine, sine
    if "halves" in on:
        result = torch.cat((sine, cosine), 1)
    else:
        result = torch.stack((sine, cosine), 2).flatten(1)
    if "transposed" in on:
        result = result.T
    if "batch_axis" in on:
        result = result.unsqueeze(0)
    if "one_row_more" in on:
        result = sinusoidal_encoding(max_len + 1, hidden_size, on - {"one_row_more"})
    return result if "double" in on else result.float()


def _base(on: Switches) -> float:
    bases = {"base_1000": 1e3, "base_100000": 1e5, "log_to_ten": math.exp(4)}
    return chosen(bases, on, 1e4)


def _frequency(hidden_size: int, on: Switches) -> Tensor:
    pair = torch.arange(hidden_size // 2, dtype=torch.float64)
    width = float(hidden_size)
    if "integer_division" in on:
        return torch.exp(2 * pair * ((-math.log(_base(on)) / width) // 2))
    if "spread_to_end" in on:
        width = max(width - 2, 1)
    exponent = 2 * pair / width
    if "exponent_doubled" in on:
        exponent = 2 * exponent
    if "exponent_halved" in on:
        exponent = exponent / 2
    if "from_pair_one" in on:
        exponent = exponent + 2 / width
    return _base(on) ** (exponent if "multiplied" in on else -exponent)


def wave_probes(generator: Generator) -> tuple[Probe, ...]:
    """Small sizes, so that even wrong frequencies come out the same in every formulation."""
    return (Probe((5, 6)), Probe((6, 4)), Probe((4, 10)), Probe((3, 2)))


SUBJECTS = (FunctionSubject("sinusoidal_encoding", sinusoidal_encoding, wave_probes, 2e-3),)
