"""Known wrong turns of encoding positions by waves: frequencies, parity, places."""

from __future__ import annotations

import math

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


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
    return next((base for name, base in bases.items() if name in on), 1e4)


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


_ROW = "What should row 0 look like, where every angle is 0?"
_FREQUENCY = "By which factor should the wave grow longer from one pair of features to the next?"
WAVES = (
    Misconception(
        "from_one",
        "Positions start at 1: row 0 holds what belongs to position 1, and all rows are shifted.",
        _ROW,
    ),
    Misconception(
        "halves",
        "Sine and cosine are concatenated as two halves instead of interleaved: a permutation of "
        "the features, harmless in training and wrong with loaded weights.",
        _ROW,
    ),
    Misconception(
        "sine_twice",
        "The sine is used for both parities; there is no cosine, and row 0 is all zeros.",
        _ROW,
    ),
    Misconception(
        "cosine_twice",
        "The cosine is used for both parities; there is no sine, and row 0 is all ones.",
        _ROW,
    ),
    Misconception(
        "cosine_first",
        "Sine and cosine have changed places: even features hold the cosine.",
        _ROW,
    ),
    Misconception(
        "exponent_doubled",
        "The exponent is doubled: the factor 2 is applied to an index that already counts in "
        "steps of two (the even column index), so the waves grow longer twice as fast.",
        "In 10000^(2i/d), does i count pairs or columns?",
    ),
    Misconception(
        "exponent_halved",
        "The factor 2 in the exponent is lost: i/d instead of 2i/d (as with base 100), so the "
        "longest waves are far too short.",
        "In 10000^(2i/d), does i count pairs or columns?",
    ),
    Misconception(
        "column_exponent",
        "Every column has a frequency of its own: the cosine beside a sine belongs to another "
        "wave.",
        "How many different frequencies are there for hidden_size 6?",
    ),
    Misconception(
        "base_1000",
        "The base is 1000 instead of 10000: the longest waves are too short.",
        "Which number stands under the exponent in the paper?",
    ),
    Misconception(
        "base_100000",
        "The base is 100000 instead of 10000: the longest waves are too long.",
        "Which number stands under the exponent in the paper?",
    ),
    Misconception(
        "log_to_ten",
        "A logarithm to base 10 meets exp, which undoes the natural one: the waves grow far too "
        "slowly.",
        "Which logarithm does exp undo?",
    ),
    Misconception(
        "multiplied",
        "The position is multiplied by 10000^(2i/d) instead of divided (a sign error in the "
        "exponent): the high features are noise.",
        "Should the angle of the last pair grow quickly or slowly with the position?",
    ),
    Misconception(
        "integer_division",
        "An integer division (//) rounds the exponent, so the frequencies collapse to powers of e.",
        _FREQUENCY,
    ),
    Misconception(
        "spread_to_end",
        "The exponents run up to exactly 1 (divided by d − 2, as in another library): every wave "
        "but the first is too long.",
        _FREQUENCY,
    ),
    Misconception(
        "from_pair_one",
        "The pairs are counted from 1: the first, fastest wave is missing.",
        "What is the frequency of pair 0?",
    ),
    Misconception(
        "relative",
        "The positions are divided by max_len: the same position gets another encoding in a longer "
        "table.",
        "Should row 3 depend on how many rows the table has?",
    ),
    Misconception(
        "zero_to_one",
        "The positions run from 0 to 1, whatever the length (a linspace): neighbours lie closer "
        "together in a longer table, and the same position gets another encoding there.",
        "By how much should the angle of the first pair grow from one row to the next?",
    ),
    Misconception(
        "angles",
        "The angles come back by themselves, without sine and cosine.",
        "Between which two numbers should every entry lie?",
    ),
    Misconception(
        "transposed",
        "The table is transposed: [hidden_size, max_len].",
        "What does one row belong to: a position or a feature?",
    ),
    Misconception(
        "batch_axis",
        "The values are right, but there is a batch axis in front.",
        "What shape was promised?",
    ),
    Misconception(
        "one_row_more",
        "There is one row too many.",
        "How many positions are there from 0 to max_len − 1?",
    ),
    Misconception(
        "double",
        "The values are right but come back as float64; float32 was promised.",
        "Which dtype do the model's other tensors have?",
    ),
)

SUBJECTS = (FunctionSubject("sinusoidal_encoding", sinusoidal_encoding, wave_probes, WAVES, 2e-3),)
