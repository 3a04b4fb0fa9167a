"""Inputs of encode that tell its wrong turns apart; it has no formula."""

from typing import Any

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe

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


SUBJECTS = (FunctionSubject("encode", encode_probes),)
