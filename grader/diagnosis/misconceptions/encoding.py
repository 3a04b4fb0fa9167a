"""Known wrong turns of encoding texts and pairs: special tokens, types, cuts."""

from __future__ import annotations

from typing import Any

import torch
from torch import Generator

from .function_subject import FunctionSubject, Misconception, Probe, Switches
from .text import split_words
from .tokenization import wordpiece_tokenize

NONE: Switches = frozenset()


def encode(
    first: str,
    second: str | None,
    vocab: dict[str, int],
    max_length: int = 512,
    on: Switches = NONE,
) -> Any:
    """The reference with switches."""
    a, b = _lookup(first, vocab, on), _lookup(second or "", vocab, on)
    there = second is not None if "empty_paired" in on else bool(second)
    paired = there and "first_alone" not in on
    if not paired:
        b = []
    if not on & {"not_truncated", "cut_at_the_end"}:
        specials = 0 if "room_for_none" in on else 3 if paired or "room_for_three" in on else 2
        a, b = _cut(a, b, max(max_length - specials, 0), on)
    start = [] if "no_cls" in on else ["[CLS]"]
    end = [] if "no_sep" in on else ["[SEP]"]
    middle = [] if paired and "no_middle_sep" in on else end
    first_part = [*start, *a, *middle]
    second_part = []
    if paired:
        last = [] if "no_last_sep" in on else end
        second_part = [*(["[CLS]"] if "second_cls" in on else []), *b, *last]
    pieces = first_part + second_part
    types = _types(first_part, second_part, on)
    if "cut_at_the_end" in on:
        pieces, types = pieces[:max_length], types[:max_length]
    mask = [0 if "mask_zero" in on else 1] * len(pieces)
    ids = [vocab[piece] for piece in pieces]
    if "padded" in on:
        missing = max_length - len(ids)
        ids, types, mask = ids + [0] * missing, types + [0] * missing, mask + [0] * missing
    return _packed(ids, types, mask, pieces, on)


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
    keep_a, keep_b = (room - shorter, shorter) if len(a) > len(b) else (shorter, room - shorter)
    if "cut_in_front" in on:
        return a[len(a) - keep_a :], b[max(len(b) - keep_b, 0) :]
    return a[:keep_a], b[:keep_b]


def _types(first: list[str], second: list[str], on: Switches) -> list[int]:
    zeros, ones = len(first), len(second)
    if "sep_type_one" in on and second:
        zeros, ones = zeros - 1, ones + 1
    if "types_from_one" in on:
        return [1] * zeros + [2] * ones
    if "types_zero" in on:
        return [0] * (zeros + ones)
    if "types_exchanged" in on:
        return [1] * zeros + [0] * ones
    return [0] * zeros + [1] * ones


def _packed(
    ids: list[int], types: list[int], mask: list[int], pieces: list[str], on: Switches
) -> Any:
    if "pieces" in on:
        return {"input_ids": pieces, "token_type_ids": types, "attention_mask": mask}
    if "tensors" in on:
        given = {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}
        return {name: torch.tensor(values) for name, values in given.items()}
    if "batched" in on:
        return {"input_ids": [ids], "token_type_ids": [types], "attention_mask": [mask]}
    if "ids_alone" in on:
        return ids
    if "no_types" in on:
        return {"input_ids": ids, "attention_mask": mask}
    if "tuple" in on:
        return ids, types, mask
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}


_ENCODED = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] time flies like an arrow fruit banana . , a ##b ##s fly un"
)
ENCODE_VOCAB = {piece: 100 + index for index, piece in enumerate(_ENCODED.split())}


def encode_probes(generator: Generator) -> tuple[Probe, ...]:
    """Single texts and pairs, whole and cut, the first longer and the second longer."""
    long, short = "time flies like an arrow , like a banana", "fruit flies ."
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
    ]
    return tuple(
        Probe((first, second, dict(ENCODE_VOCAB), *rest)) for first, second, *rest in given
    )


_TYPES = "How many zeros should token_type_ids have for a pair whose first text has 4 pieces?"
_CUT = "Which text should give way first, and which tokens must never be cut?"
_DICT = "What exactly was promised: which keys, and what kind of values?"
ENCODE = (
    Misconception(
        "sep_type_one",
        "The first [SEP] already has type 1: it still belongs to the first text.",
        _TYPES,
    ),
    Misconception(
        "types_zero",
        "token_type_ids are 0 everywhere: the model cannot tell the second text from the first.",
        _TYPES,
    ),
    Misconception(
        "types_from_one",
        "token_type_ids start at 1: the table of types has only the rows 0 and 1.",
        _TYPES,
    ),
    Misconception("types_exchanged", "token_type_ids are 1 for the first text.", _TYPES),
    Misconception(
        "cut_at_the_end",
        "The cut comes after the special tokens are added, so the last [SEP] is cut off.",
        _CUT,
    ),
    Misconception(
        "second_cut_alone",
        "Only the second text is cut, down to nothing, while the first stays whole.",
        _CUT,
    ),
    Misconception(
        "first_cut_alone",
        "Only the first text is cut, down to nothing, while the second stays whole.",
        _CUT,
    ),
    Misconception(
        "halved",
        "Both texts are cut to half of the room, even where one of them needs less.",
        _CUT,
        ways=("halved_up",),
    ),
    Misconception(
        "cut_in_front",
        "The beginnings of the texts are cut off instead of their ends.",
        _CUT,
    ),
    Misconception(
        "not_truncated",
        "Nothing is cut: long texts give more than max_length ids.",
        "What does max_length bound?",
    ),
    Misconception(
        "room_for_none",
        "max_length is compared without the special tokens: the result is longer by their number.",
        "Which tokens does max_length count?",
    ),
    Misconception(
        "room_for_three",
        "Room for three special tokens is kept even for a single text, so one piece too many is "
        "cut.",
        "How many special tokens does a single text have?",
    ),
    Misconception("no_cls", "There is no [CLS] in front.", "What should the first id be?"),
    Misconception("no_sep", "There is no [SEP] anywhere.", "What closes each text?"),
    Misconception(
        "no_middle_sep", "There is no [SEP] between the texts.", "What closes each text?"
    ),
    Misconception(
        "no_last_sep", "There is no [SEP] after the second text.", "What closes each text?"
    ),
    Misconception(
        "second_cls", "The second text gets a [CLS] of its own.", "How many [CLS] does a pair have?"
    ),
    Misconception(
        "first_alone",
        "The second text is never used.",
        "What changes in your result when the second text changes?",
    ),
    Misconception(
        "empty_paired",
        "An empty second text is taken for a text: the first one gets one [SEP] too many.",
        "Which values of `second` mean that there is a single text?",
    ),
    Misconception(
        "no_pieces",
        "Whole words are looked up: a word that consists of known pieces becomes [UNK].",
        "Which two functions of this chapter come before the lookup?",
    ),
    Misconception(
        "words_by_space",
        "The text is split on white space alone: punctuation and accents stay on the words.",
        "Which two functions of this chapter come before the lookup?",
    ),
    Misconception(
        "mask_zero", "attention_mask is 0 everywhere: every token counts as padding.", _DICT
    ),
    Misconception(
        "padded",
        "The lists are padded to max_length; padding is the business of pad_batch.",
        _DICT,
    ),
    Misconception("pieces", "input_ids holds pieces, not ids.", _DICT),
    Misconception("tensors", "The values are right but tensors; lists were promised.", _DICT),
    Misconception("batched", "Every list is wrapped in another one, as for a batch.", _DICT),
    Misconception(
        "ids_alone", "Only the ids come back; a dict of three lists was promised.", _DICT
    ),
    Misconception("no_types", "token_type_ids are missing.", _DICT),
    Misconception("tuple", "A tuple comes back; a dict of three lists was promised.", _DICT),
)

SUBJECTS = (FunctionSubject("encode", encode, encode_probes, ENCODE),)
