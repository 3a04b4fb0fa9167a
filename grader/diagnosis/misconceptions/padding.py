"""Known wrong turns of padding a batch: the side, the width, and what the mask is made from."""

from __future__ import annotations

from typing import Any

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


def pad_batch(sequences: list[list[int]], pad_id: int, on: Switches = NONE) -> Any:
    """The reference with switches."""
    longest = _width(sequences, on)
    fill = 0 if "pads_zero" in on else -1 if "pads_minus_one" in on else pad_id
    rows = [_padded(list(ids)[:longest], longest, fill, on) for ids in sequences]
    real = [_padded([1] * min(len(ids), longest), longest, 0, on) for ids in sequences]
    input_ids, mask = torch.tensor(rows), torch.tensor(real)
    if "compared" in on:
        mask = (input_ids != pad_id).long()
    if "all_ones" in on:
        mask = torch.ones_like(mask)
    if "all_zeros" in on:
        mask = torch.zeros_like(mask)
    if "inverted" in on:
        mask = 1 - mask
    mask = _typed(mask, on, "mask_")
    input_ids = _typed(input_ids, on, "ids_")
    if "transposed" in on:
        input_ids, mask = input_ids.T, mask.T
    if "exchanged" in on:
        return mask, input_ids
    if "lists" in on:
        return input_ids.tolist(), mask.tolist()
    if "ids_alone" in on:
        return input_ids
    if "dictionary" in on:
        return {"input_ids": input_ids, "attention_mask": mask}
    if "listed" in on:
        return [input_ids, mask]
    return input_ids, mask


def _width(sequences: list[list[int]], on: Switches) -> int:
    widths = [len(ids) for ids in sequences]
    if "first_width" in on:
        return widths[0]
    if "last_width" in on:
        return widths[-1]
    if "shortest_width" in on:
        return min(widths)
    if "one_more" in on:
        return max(widths) + 1
    if "fixed_512" in on:
        return 512
    return max(widths)


def _padded(row: list[int], longest: int, fill: int, on: Switches) -> list[int]:
    missing = [fill] * (longest - len(row))
    return missing + row if "left" in on else row + missing


def _typed(tensor: Tensor, on: Switches, prefix: str) -> Tensor:
    for name, dtype in (("bool", torch.bool), ("float", torch.float32), ("int", torch.int32)):
        if prefix + name in on:
            return tensor.to(dtype)
    return tensor


def probes(generator: Generator) -> tuple[Probe, ...]:
    """The longest first, last and in between; the padding's id among the real ones."""
    return (
        Probe(([[5, 6, 7], [8]], 0)),
        Probe(([[5], [8, 9, 10, 11], [12, 13]], 3)),
        Probe(([[4, 0, 6], [0, 8], [9, 3, 0, 2, 0]], 0), label="real tokens with the padding's id"),
        Probe(([[1, 2], [3, 4]], 7), label="nothing to pad"),
        Probe(([[1, 2, 3], [3, 4, 3]], 3), label="nothing to pad"),
    )


_MASK = "Which ids are real: can you tell from the id alone?"
_TYPE = "Which dtype was promised for both?"
MISCONCEPTIONS = (
    Misconception(
        "compared",
        "The mask is computed as ids != pad_id: a real token that happens to have the padding's "
        "id is masked as well.",
        _MASK,
    ),
    Misconception(
        "left",
        "The padding goes to the left: the positions of every sentence but the longest are "
        "shifted, and their [CLS] is no longer in column 0.",
        "In which column should the first token of every sentence stand?",
    ),
    Misconception(
        "first_width",
        "The width is taken from the first sequence instead of the longest: longer ones do not "
        "fit (or are cut off).",
        "Which sequence of the batch decides how wide the batch is?",
    ),
    Misconception(
        "last_width",
        "The width is taken from the last sequence instead of the longest.",
        "Which sequence of the batch decides how wide the batch is?",
    ),
    Misconception(
        "shortest_width",
        "Every sequence is cut to the length of the shortest: tokens are lost.",
        "Which sequence of the batch decides how wide the batch is?",
    ),
    Misconception(
        "ragged",
        "Rows of different length meet in one tensor, which wants them alike: not every row comes "
        "out as long as the longest sequence.",
        "Which sequence of the batch decides how wide the batch is, and do all rows reach it?",
        error=r"expected sequence of length \d+ at dim 1|stack expects each tensor to be equal",
    ),
    Misconception(
        "all_ones",
        "The mask is 1 everywhere: the padding counts as real.",
        "How many ones should a row of the mask have?",
    ),
    Misconception(
        "all_zeros",
        "The mask is 0 everywhere: every token counts as padding.",
        "How many ones should a row of the mask have?",
    ),
    Misconception(
        "inverted",
        "The mask is inverted: 1 for padding and 0 for real tokens.",
        "Which value does a real token get?",
    ),
    Misconception(
        "pads_zero",
        "It pads with 0, whatever pad_id says.",
        "What changes in your result when pad_id changes?",
    ),
    Misconception(
        "pads_minus_one",
        "It pads with −1, which is the id of no token: an embedding table has no such row.",
        "Which id was given for padding?",
    ),
    Misconception(
        "one_more",
        "Every row gets at least one padding token: the batch is one column too wide.",
        "How many padding tokens does the longest sequence need?",
    ),
    Misconception(
        "fixed_512",
        "It pads to 512 columns instead of the length of the longest sequence: right, and slow.",
        "Which sequence of the batch decides how wide the batch is?",
    ),
    Misconception("mask_bool", "The mask is right but bool; long was promised for both.", _TYPE),
    Misconception("mask_float", "The mask is right but float; long was promised for both.", _TYPE),
    Misconception(
        "mask_int", "The mask is right but of 32 bits; long was promised for both.", _TYPE
    ),
    Misconception("ids_float", "The ids are floats: an embedding table takes integers.", _TYPE),
    Misconception("ids_int", "The ids are right but of 32 bits; long was promised.", _TYPE),
    Misconception(
        "exchanged",
        "The two results come in the wrong order: the mask first.",
        "In which order were the two promised?",
    ),
    Misconception(
        "transposed",
        "Both results are transposed: [seq, batch].",
        "What does one row belong to?",
    ),
    Misconception(
        "lists",
        "Lists come back; tensors were promised.",
        "What can a model not do with lists?",
    ),
    Misconception(
        "ids_alone",
        "Only the ids come back: the mask is missing.",
        "How will the model know which ids are padding?",
    ),
    Misconception(
        "dictionary",
        "A dictionary comes back; a tuple of two tensors was promised.",
        "What type was promised?",
    ),
    Misconception(
        "listed",
        "Both tensors are right, but they come in a list; a tuple was promised.",
        "What type was promised?",
    ),
)

SUBJECTS = (FunctionSubject("pad_batch", pad_batch, probes, MISCONCEPTIONS),)
