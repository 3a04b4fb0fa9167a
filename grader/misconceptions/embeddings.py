"""Known wrong turns of chapter 02's functions: the one-hot product and the waves of positions."""

from __future__ import annotations

import math

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from .subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


def embed_one_hot(token_ids: Tensor, table: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "detached" in on:
        table = table.detach()
    vocab, hidden = table.shape
    ids = token_ids
    if "one_too_high" in on:
        ids = (ids + 1) % vocab
    if "one_too_low" in on:
        ids = (ids - 1) % vocab
    classes = -1 if "classes_guessed" in on else hidden if "classes_from_hidden" in on else vocab
    one_hot = F.one_hot(ids, classes).to(table.dtype)
    if "one_hot_alone" in on:
        return one_hot
    if "counted" in on:
        return one_hot.sum(1) @ table
    if "averaged" in on:
        return one_hot.mean(1) @ table
    if "table_transposed" in on:
        table = table.T
    if "table_reshaped" in on:
        table = table.reshape(hidden, vocab).T
    result = one_hot @ table
    if "scaled" in on:
        result = result * math.sqrt(hidden)
    if "bias" in on:
        result = result + 1
    if "axes_exchanged" in on:
        result = result.transpose(1, 2)
    if "flattened" in on:
        result = result.flatten(0, 1)
    if "double" in on:
        result = result.double()
    return result


def embed_probes(generator: Generator) -> tuple[Probe, ...]:
    """Vocabularies with and without their last id in use; a square table; the table's gradient."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    ids = torch.randint(0, 10, (2, 4), generator=generator)
    return (
        Probe((torch.tensor([[3, 0, 8], [1, 3, 2]]), draw(11, 5)), gradient=True),
        Probe((ids, draw(13, 3))),
        Probe((torch.tensor([[0, 4, 2], [1, 3, 4]]), draw(5, 5)), label="a square table"),
        Probe((torch.tensor([[6, 0, 1], [2, 6, 5]]), draw(7, 4)), label="the last id in use"),
    )


EMBED = (
    Misconception(
        "integer_one_hot",
        "The one-hot vectors are still integers when they meet the table of floats; a matrix "
        "product needs one dtype.",
        "Which dtype does one_hot return, and which does the table have?",
        error=r"same dtype|expected scalar type|expected m1 and m2 to have the same|addmm.*Long",
    ),
    Misconception(
        "ids_as_floats",
        "The ids are turned into floats, but an id is an index: only integers can be looked up.",
        "Which dtype must ids have where they choose a row?",
        error=r"one_hot is only applicable to index tensor|tensors used as indices must be long",
    ),
    Misconception(
        "classes_guessed",
        "The number of classes is guessed from the ids that happen to be there, so the one-hot "
        "vectors are too short unless the last word of the vocabulary occurs.",
        "How long must a one-hot vector be if the largest id of the batch is not the last one?",
    ),
    Misconception(
        "classes_from_hidden",
        "The one-hot vectors are as long as a row of the table, not as the table has rows.",
        "Which axis of the table counts the words?",
    ),
    Misconception(
        "table_transposed",
        "The table is transposed: columns are picked instead of rows, which fits only a square "
        "table.",
        "Which axis of the table must meet the one-hot axis in the product?",
    ),
    Misconception(
        "table_reshaped",
        "The table is reshaped on the way, which mixes the numbers of different words.",
        "Does the table need another shape to be multiplied?",
    ),
    Misconception(
        "one_hot_alone",
        "The one-hot vectors come back as they are: they are never multiplied by the table.",
        "How long is the vector that should come back for each token?",
    ),
    Misconception(
        "counted",
        "The vectors of a sentence are summed (a bag of words): the sequence axis is gone.",
        "How many vectors should come back for a sentence of three tokens?",
    ),
    Misconception(
        "averaged",
        "The vectors of a sentence are averaged: the sequence axis is gone.",
        "How many vectors should come back for a sentence of three tokens?",
    ),
    Misconception(
        "one_too_high",
        "Every token gets the row after its own: ids are counted from 1.",
        "Which row of the table belongs to id 0?",
    ),
    Misconception(
        "one_too_low",
        "Every token gets the row before its own: ids are counted from 1.",
        "Which row of the table belongs to id 0?",
    ),
    Misconception(
        "scaled",
        "The vectors are multiplied by √hidden, as the original transformer does and this exercise "
        "does not.",
        "Should the result be, number for number, a row of the table?",
    ),
    Misconception(
        "bias",
        "Something constant is added: the result is not a row of the table.",
        "Should the result be, number for number, a row of the table?",
    ),
    Misconception(
        "axes_exchanged",
        "Features and tokens are exchanged: [batch, hidden, seq].",
        "Which axis should come last?",
    ),
    Misconception(
        "flattened",
        "Batch and sequence are folded into one axis.",
        "How many axes should the result have?",
    ),
    Misconception(
        "double",
        "The values are right but come back as float64, not in the table's dtype.",
        "Which of your numbers carries the wider dtype in?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches the table: it could never be learned.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)


def sinusoidal_encoding(max_len: int, hidden_size: int, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    if "from_one" in on:
        position = position + 1
    if "relative" in on:
        position = position / max_len
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
    bases = {"base_1000": 1e3, "base_100000": 1e5}
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

SUBJECTS = (
    FunctionSubject("embed_one_hot", embed_one_hot, embed_probes, EMBED),
    FunctionSubject("sinusoidal_encoding", sinusoidal_encoding, wave_probes, WAVES, 2e-3),
)
