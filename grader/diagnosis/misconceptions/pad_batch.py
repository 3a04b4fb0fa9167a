"""pad_batch with its wrong turns: the side, the width, and what the mask is made from."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe
from .switches import NONE, Switches, applied, chosen

PACKED: dict[str, Callable[[Tensor, Tensor], Any]] = {
    "exchanged": lambda ids, mask: (mask, ids),
    "lists": lambda ids, mask: (ids.tolist(), mask.tolist()),
    "ids_alone": lambda ids, mask: ids,
    "dictionary": lambda ids, mask: {"input_ids": ids, "attention_mask": mask},
    "listed": lambda ids, mask: [ids, mask],
}
WIDTHS: dict[str, Callable[[list[int]], int]] = {  # from the sequences' lengths
    "first_width": lambda lengths: lengths[0],
    "last_width": lambda lengths: lengths[-1],
    "shortest_width": min,
    "one_more": lambda lengths: max(lengths) + 1,
    "fixed_512": lambda lengths: 512,
}
MASKS: dict[str, Callable[[Tensor], Tensor]] = {
    "mask_all_ones": torch.ones_like,
    "mask_all_zeros": torch.zeros_like,
    "inverted": lambda mask: 1 - mask,
}
MASK_DTYPES = {"mask_bool": torch.bool, "mask_float": torch.float32, "mask_int": torch.int32}
IDS_DTYPES = {"ids_float": torch.float32, "ids_int": torch.int32}


def pad_batch(sequences: list[list[int]], pad_id: int, on: Switches = NONE) -> Any:
    """The reference with switches."""
    longest = chosen(WIDTHS, on, lambda lengths: max(lengths))([len(ids) for ids in sequences])
    fill = 0 if "pads_zero" in on else -1 if "pads_minus_one" in on else pad_id
    rows = [_padded(list(ids)[:longest], longest, fill, on) for ids in sequences]
    real = [_padded([1] * min(len(ids), longest), longest, 0, on) for ids in sequences]
    input_ids, mask = torch.tensor(rows), torch.tensor(real)
    if "compared" in on:
        mask = (input_ids != pad_id).long()
    mask = applied(MASKS, on, mask)
    mask = mask.to(chosen(MASK_DTYPES, on, mask.dtype))
    input_ids = input_ids.to(chosen(IDS_DTYPES, on, input_ids.dtype))
    if "transposed" in on:
        input_ids, mask = input_ids.T, mask.T
    return chosen(PACKED, on, lambda ids, mask: (ids, mask))(input_ids, mask)


def _padded(row: list[int], longest: int, fill: int, on: Switches) -> list[int]:
    missing = [fill] * (longest - len(row))
    return missing + row if "left" in on else row + missing


def probes(generator: Generator) -> tuple[Probe, ...]:
    """The longest first, last and in between; the padding's id among the real ones."""
    return (
        Probe(([[5, 6, 7], [8]], 0)),
        Probe(([[5], [8, 9, 10, 11], [12, 13]], 3)),
        Probe(([[4, 0, 6], [0, 8], [9, 3, 0, 2, 0]], 0), label="real tokens with the padding's id"),
        Probe(([[1, 2], [3, 4]], 7), label="nothing to pad"),
        Probe(([[1, 2, 3], [3, 4, 3]], 3), label="nothing to pad"),
    )


SUBJECTS = (FunctionSubject("pad_batch", pad_batch, probes),)
