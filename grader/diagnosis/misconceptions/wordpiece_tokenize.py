"""wordpiece_tokenize with its wrong turns: which piece, which marks, what is unknown."""

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Generator

from .function_subject import FunctionSubject, Probe
from .other_cuts import covering, from_the_end, glued, merged
from .switches import NONE, Switches, chosen

_PIECES = (
    "[UNK] un want ##want ##ed able ##able a ##a ab abc ##cd hug hu ##gs ##s ##ing é ##é ##x x ##n "
    "play ##ing ##play ##er er ed ##e ##d Able s"
)
VOCAB = {piece: index for index, piece in enumerate(dict.fromkeys(_PIECES.split()))}
VOCAB |= {"a" * 60: 500, "##" + "a" * 40: 501, "b" * 50: 502, "##" + "b" * 51: 503}
Cut = Callable[[str, dict[str, int], str], list[str]]  # of word, vocabulary and unknown token
INSTEAD: dict[str, Cut] = {  # the whole answer
    "uncut": lambda word, vocab, unk_token: [word],
    "nothing": lambda word, vocab, unk_token: [],
    "whole_word_only": lambda word, vocab, unk_token: [word if word in vocab else unk_token],
    "anywhere": lambda word, vocab, unk_token: (
        [piece for piece in vocab if piece.removeprefix("##") in word] or [unk_token]
    ),
}
CUTS: dict[str, Cut] = {
    "glued": glued,
    "merged": merged,
    "from_the_end": from_the_end,
    "backtracks": partial(covering, fewest=False),
    "fewest_short_first": partial(covering, fewest=True, short_first=True),
    "fewest": partial(covering, fewest=True),
}
UNKNOWN: dict[str, Callable[[str, str], Any]] = {  # what is given back for an unknown word
    "bare_unknown": lambda word, unk_token: unk_token,
    "empty_unknown": lambda word, unk_token: [],
    "word_unknown": lambda word, unk_token: [word],
}


def wordpiece_tokenize(
    word: str,
    vocab: dict[str, int],
    unk_token: str = "[UNK]",
    max_chars: int = 100,
    on: Switches = NONE,
) -> Any:
    """The reference with switches."""
    if "unknown_fixed" in on:
        unk_token = "[UNK]"
    if "limit_fixed" in on:
        max_chars = 100
    if "lowered" in on or ("lowered_if_unknown" in on and word not in vocab):
        word = word.lower()
    if _too_long(word, max_chars, on):
        return [unk_token]
    instead = chosen(INSTEAD, on, None)
    if instead is not None:
        return instead(word, vocab, unk_token)
    usual: Cut = partial(_pieces, on=on)
    pieces = chosen(CUTS, on, usual)(word, vocab, unk_token)
    if "limit_in_pieces" in on and len(pieces) > max_chars:
        return [unk_token]
    if "unmarked_result" in on:
        pieces = [piece.removeprefix("##") for piece in pieces]
    if "ids" in on:
        return [vocab.get(piece, vocab.get(unk_token)) for piece in pieces]
    if "joined" in on:
        return " ".join(pieces)
    unknown = chosen(UNKNOWN, on, None)
    if unknown is not None and pieces == [unk_token]:
        return unknown(word, unk_token)
    return tuple(pieces) if "tuple" in on else pieces


def _too_long(word: str, max_chars: int, on: Switches) -> bool:
    if on & {"no_limit", "limit_in_pieces"}:
        return False
    if "limit_inclusive" in on:
        return len(word) >= max_chars
    if "limit_in_bytes" in on:
        return len(word.encode()) > max_chars
    return len(word) > max_chars


def _pieces(word: str, vocab: dict[str, int], unk_token: str, on: Switches) -> list[str]:
    pieces: list[str] = []
    start = 0
    while start < len(word):
        is_marked = (start or "first_marked" in on) and "unmarked" not in on
        mark = "####" if "marked_twice" in on and len(pieces) > 1 else "##" if is_marked else ""
        end, marked = _longest(word, start, mark, vocab, on)
        if end is None:
            if "unknown_each" in on:
                pieces.append(unk_token)
                start += 1
                continue
            if "unknown_after_pieces" in on:
                return [*pieces, unk_token]
            if "pieces_kept" in on:
                return pieces or [unk_token]
            return [unk_token]
        pieces.append(marked)
        start += len(marked) if "advance_by_piece" in on else end - start
    return pieces


def _longest(
    word: str, start: int, mark: str, vocab: dict[str, int], on: Switches
) -> tuple[int | None, str]:
    last = len(word) - 1 if "last_left_out" in on else len(word)
    ends = range(last, start, -1)
    if "shortest" in on:
        ends = range(start + 1, last + 1)
    if "single_left_out" in on:
        ends = range(last, start + 1, -1)
    for end in ends:
        piece = mark + word[start:end]
        if piece in vocab and ("zero_is_none" not in on or vocab[piece]):
            return end, piece
        if "either_form" in on and word[start:end] in vocab:
            return end, word[start:end]
    return None, ""


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
    probes.append(Probe(("X", dict(VOCAB)), {"unk_token": "<unknown>"}))
    probes += [Probe(("unwanted", dict(VOCAB)), {"max_chars": most}) for most in (7, 8)]
    return tuple(probes)


def _numbered(pieces: str) -> dict[str, int]:
    return {piece: index for index, piece in enumerate(pieces.split())}


SUBJECTS = (FunctionSubject("wordpiece_tokenize", wordpiece_tokenize, wordpiece_probes),)
