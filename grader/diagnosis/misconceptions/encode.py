"""encode with its wrong turns, of texts and pairs: special tokens, types, cuts."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Generator

from .function_subject import FunctionSubject, Probe
from .split_words import split_words
from .switches import NONE, Switches, chosen
from .wordpiece_tokenize import wordpiece_tokenize

TYPES = {"types_from_one": (1, 2), "types_zero": (0, 0), "types_exchanged": (1, 0)}
PACKED: dict[str, Callable[[dict[str, list[int]]], Any]] = {
    "tensors": lambda lists: {name: torch.tensor(values) for name, values in lists.items()},
    "batched": lambda lists: {name: [values] for name, values in lists.items()},
    "ids_alone": lambda lists: lists["input_ids"],
    "no_types": lambda lists: {name: lists[name] for name in ("input_ids", "attention_mask")},
    "tuple": lambda lists: tuple(lists.values()),
}


def encode(
    first: str,
    second: str | None,
    vocab: dict[str, int],
    max_length: int = 512,
    on: Switches = NONE,
) -> Any:
    """The reference with switches."""
    if "words_cut" in on:
        words = split_words(first), split_words(second or "")
        first, second = map(" ".join, _cut(*words, max(max_length - (3 if second else 2), 0), on))
    a, b = _lookup(first, vocab, on), _lookup(second or "", vocab, on)
    there = second is not None if "empty_paired" in on else bool(second)
    paired = there and "first_alone" not in on
    if not paired:
        b = []
    if not on & {"not_truncated", "cut_at_the_end", "words_cut"}:
        specials = 0 if "room_for_none" in on else 3 if paired or "room_for_three" in on else 2
        a, b = _cut(a, b, max(max_length - specials, 0), on)
    end = ["[SEP]"] * ("no_sep" not in on)
    first_part = ["[CLS]"] * ("no_cls" not in on) + a
    first_part += [] if paired and "no_middle_sep" in on else end
    second_part: list[str] = []
    if paired:
        second_part = ["[CLS]"] * ("second_cls" in on) + b + end * ("no_last_sep" not in on)
    pieces = first_part + second_part
    moved = "sep_type_one" in on and bool(second_part)
    first_type, second_type = chosen(TYPES, on, (0, 1))
    types = [first_type] * (len(first_part) - moved) + [second_type] * (len(second_part) + moved)
    if "cut_at_the_end" in on:
        pieces, types = pieces[:max_length], types[:max_length]
    mask = [0 if "mask_all_zeros" in on else 1] * len(pieces)
    ids: list[Any] = pieces if "pieces" in on else [vocab[piece] for piece in pieces]
    if "padded" in on:
        missing = max_length - len(ids)
        ids, types, mask = ids + [0] * missing, types + [0] * missing, mask + [0] * missing
    lists = {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}
    return chosen(PACKED, on, dict)(lists)


def _lookup(text: str, vocab: dict[str, int], on: Switches) -> list[str]:
    words = text.lower().split() if "words_by_space" in on else split_words(text)
    if "no_pieces" in on:
        return [word if word in vocab else "[UNK]" for word in words]
    return [piece for word in words for piece in wordpiece_tokenize(word, vocab)]


def _cut(a: list[str], b: list[str], room: int, on: Switches) -> tuple[list[str], list[str]]:
    if len(a) + len(b) <= room:
        return a, b
    if "second_cut_alone" in on:
        return a[:room], b[: max(room - len(a), 0)]
    if "first_cut_alone" in on:
        return a[: max(room - len(b), 0)], b[:room]
    if on & {"halved", "halved_up"} and b:
        smaller = room // 2
        part = room - smaller if "halved" in on else smaller
        return a[:part], b[: room - part]
    shorter = min(len(a), len(b), room // 2)
    is_second_longer = len(b) >= len(a)
    if on & {"odd_to_first", "odd_to_second"} and room // 2 < min(len(a), len(b)):
        is_second_longer = "odd_to_second" in on
    if "tie_to_first" in on and len(a) == len(b):
        is_second_longer = False
    keep_a, keep_b = (shorter, room - shorter) if is_second_longer else (room - shorter, shorter)
    if "cut_in_front" in on:
        return a[len(a) - keep_a :], b[max(len(b) - keep_b, 0) :]
    return a[:keep_a], b[:keep_b]


_ENCODED = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] time flies like an arrow fruit banana . , a ##b ##s fly un"
)
ENCODE_VOCAB = {piece: 100 + index for index, piece in enumerate(_ENCODED.split())}


def encode_probes(generator: Generator) -> tuple[Probe, ...]:
    """Single texts and pairs, whole and cut, the first longer and the second longer.

    In some, one of both is so short that it is left whole; in some, few pieces have an id.
    """
    long, short = "time flies like an arrow , like a banana", "fruit flies ."
    small = {"[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
    given: list[tuple[Any, ...]] = [
        ("Time flies.", None),
        ("Time flies.", ""),
        ("time flies", "Fruit flies like abs bananas."),
        ("arrows like time", "zebra"),
        (long, None, 6),
        (long, short, 10),
        (short, long, 9),
        (long, long, 11),
        (long, short, 14),
        (long, None, 11),
        (short, long, 7),
        (long, long, 12),
        (long, short, 8),
        (short, long, 8),
        ("time arrows", "bananas flies like fruit", 9),
        ("bananas arrows flies", None, 5),
        ("arrow", long, 12),
    ]
    probes = [(first, second, dict(ENCODE_VOCAB), *rest) for first, second, *rest in given]
    probes += [(long, None, dict(small), 6), ("arrow", long, dict(small), 12)]
    return tuple(map(Probe, probes))


SUBJECTS = (FunctionSubject("encode", encode, encode_probes),)
