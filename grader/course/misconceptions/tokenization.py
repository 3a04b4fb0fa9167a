"""Inputs of chapter 01 that tell wrong turns apart; it has no formula."""

from typing import Any

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe

_PIECES = (
    "[UNK] un want ##want ##ed able ##able a ##a ab abc ##cd hug hu ##gs ##s ##ing é ##é ##x x ##n "
    "play ##ing ##play ##er er ed ##e ##d Able s"
)
VOCAB = {piece: index for index, piece in enumerate(dict.fromkeys(_PIECES.split()))}
VOCAB |= {"a" * 60: 500, "##" + "a" * 40: 501, "b" * 50: 502, "##" + "b" * 51: 503}


def wordpiece_probes(generator: Generator) -> tuple[Probe, ...]:
    """Words of one to four pieces, unknown ones, long ones, and the two options."""
    words = ["able", "a", "hugs", "unwanted", "unwantedable", "unable", "abcd", "ing", "playing"]
    words += ["unwantedX", "Xunwanted", "unXXed", "X", "Able", "player", "é", "aé", "playeding"]
    words += ["a" * 100, "a" * 101, "é" * 60, "é" * 101, "playxn", "unwantX", "b" * 101, "abun"]
    probes = [Probe((word, dict(VOCAB))) for word in words]
    for word, pieces in (
        ("aa", "a ##aa"),
        # Shorter pieces in front reach the end, or reach it sooner.
        ("abcd", "ab ##cd abc"),
        ("abcde", "a ##b ##cde abc ##de"),
        ("abcdef", "abc ##d ##ef ab ##cdef"),
        # With "#" alone, gluing "##" onto the text that is left would come to no end.
        ("ax", "a # ###x"),
    ):
        probes.append(Probe((word, _numbered(f"[UNK] {pieces}"))))
    probes.append(Probe(("hugs", _numbered("hug ##s [UNK] hu ##gs"))))
    probes.append(Probe(("unwantedX", dict(VOCAB), "<unknown>")))
    probes.append(Probe(("X", dict(VOCAB), "<unknown>")))
    probes += [Probe(("unwanted", dict(VOCAB), "[UNK]", most)) for most in (7, 8)]
    probes.append(Probe(("hugs", dict(VOCAB), "##s"), aside=True))
    return tuple(probes)


def _numbered(pieces: str) -> dict[str, int]:
    return {piece: index for index, piece in enumerate(pieces.split())}


def batch_probes(generator: Generator) -> tuple[Probe, ...]:
    """The longest first, last and in between; the padding's id among the real ones; empty lists."""
    return (
        Probe(([[5, 6, 7], [8]], 0)),
        Probe(([[5], [8, 9, 10, 11], [12, 13]], 3)),
        Probe(([[4, 0, 6], [0, 8], [9, 3, 0, 2, 0]], 0), label="real tokens with the padding's id"),
        Probe(([[5, 6, 7], [9, 8], [4, 4, 4, 4], [6]], 0), label="the largest ids in a short list"),
        Probe(([[1, 2], [3, 4]], 7), label="nothing to pad"),
        Probe(([[1, 2, 3], [3, 4, 3]], 3), label="nothing to pad"),
        *(
            Probe((lists, 4), label="an empty list", aside=True)
            for lists in ([[], [5, 6]], [[5], [], [6, 7]], [[5, 6], []])
        ),
        Probe(([[2**24 + 1, 2**24], [3]], 0), label="large ids", aside=True),
        *(
            Probe(([[5, pad, 6], [pad, 8]], pad), label="a negative id for padding", aside=True)
            for pad in (-1, -100)
        ),
    )


def words_probes(generator: Generator) -> tuple[Probe, ...]:
    """One text for each rule, and some with several."""
    texts = ["Time flies like an arrow.", "air,lower.upper", "Café naïve Ünïcode", "HELLO World"]
    texts += ["a [MASK] b", "[CLS] Time [SEP]", "中文 text", "abc中文def", "don't well-known"]
    texts += ["x\x00y\x07z", "price: $5+3^2 ~ok`", "“quoted” — dash…", "a\tb\nc  d", "", "   "]
    texts += ["Straße", "ﬁne ①", "wait...what?!", "[mask] (x)", "end.", "[MASK]", "Cafe\u0301"]
    texts += ["a_b __init__", "5€ x©y", "こんにちは", "한국어", "foo[MASK]bar", "[MASK]."]
    texts += ["a\u200db", "a\ufffdb", "soft\u00adhyphen", "a\u3400", "x\uf900y", "z\U00020000"]
    texts += ["ΟΔΟΣ", "x\x0by\x0cz", "x\x1cy\x85z", "[Hello]", "say [WORD] [word] [two words]"]
    # Code by regular expressions cuts some of these up, whatever else it does.
    odd = "का कु", "1\ufe0f\u20e3a", "ab\u4dc0cd", "x[[MASK]]y", "[x [SEP] y", "a\u0378b"
    return (*(Probe((text,)) for text in texts), *(Probe((text,), aside=True) for text in odd))


_ENCODED = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] time flies like an arrow fruit banana . , a ##b ##s fly un"
)
ENCODE_VOCAB = {piece: 100 + index for index, piece in enumerate(_ENCODED.split())}


def encode_probes(generator: Generator) -> tuple[Probe, ...]:
    """Single texts and pairs, whole and cut, the first longer and the second longer.

    In some, one of both is so short that it is left whole; in some, few pieces have an id; at last,
    one has no words.
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
        ("time [SEP] flies", None),
        ("time [SEP] flies", "an [SEP] arrow"),
    ]
    probes = [(first, second, dict(ENCODE_VOCAB), *rest) for first, second, *rest in given]
    probes += [(long, None, dict(small), 6), ("arrow", long, dict(small), 12)]
    blank = [("arrow", " "), ("", "arrow"), (long, " ", 6), (long, short, 3), ("", long, 6)]
    wordless = [(first, second, dict(ENCODE_VOCAB), *rest) for first, second, *rest in blank]
    return (*map(Probe, probes), *(Probe(given, aside=True) for given in wordless))


SUBJECTS = (
    FunctionSubject("wordpiece_tokenize", wordpiece_probes),
    FunctionSubject("pad_batch", batch_probes),
    FunctionSubject("split_words", words_probes),
    FunctionSubject("encode", encode_probes),
)
