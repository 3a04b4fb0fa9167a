"""wordpiece_tokenize with its wrong turns: which piece, which marks, what is unknown."""

from typing import Any

from torch import Generator

from .function_subject import FunctionSubject, Probe
from .other_cuts import covering, from_the_end, merged
from .switches import NONE, Switches

_PIECES = (
    "[UNK] un want ##want ##ed able ##able a ##a ab abc ##cd hug hu ##gs ##s ##ing é ##é ##x x ##n "
    "play ##ing ##play ##er er ed ##e ##d Able s"
)
VOCAB = {piece: index for index, piece in enumerate(dict.fromkeys(_PIECES.split()))}
VOCAB |= {"a" * 60: 500, "##" + "a" * 40: 501, "b" * 50: 502, "##" + "b" * 51: 503}
_ENDLESS = 1000  # characters that are left of a word


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
    if "uncut" in on:
        return [word]
    if "nothing" in on:
        return []
    if "whole_word_only" in on:
        return [word] if word in vocab else [unk_token]
    if "anywhere" in on:
        return [piece for piece in vocab if piece.removeprefix("##") in word] or [unk_token]
    if "glued" in on:
        pieces = _glued(word, vocab, unk_token)
    elif "merged" in on:
        pieces = merged(word, vocab, unk_token)
    elif "from_the_end" in on:
        pieces = from_the_end(word, vocab, unk_token)
    elif "backtracks" in on:
        pieces = covering(word, vocab, unk_token, fewest=False)
    elif "fewest" in on or "fewest_short_first" in on:
        short = "fewest_short_first" in on
        pieces = covering(word, vocab, unk_token, fewest=True, short_first=short)
    else:
        pieces = _pieces(word, vocab, unk_token, on)
    if "limit_in_pieces" in on and len(pieces) > max_chars:
        return [unk_token]
    if "unmarked_result" in on:
        pieces = [piece.removeprefix("##") for piece in pieces]
    if "ids" in on:
        return [vocab.get(piece, vocab.get(unk_token)) for piece in pieces]
    if "joined" in on:
        return " ".join(pieces)
    if "bare_unknown" in on and pieces == [unk_token]:
        return unk_token
    if "empty_unknown" in on and pieces == [unk_token]:
        return []
    if "word_unknown" in on and pieces == [unk_token]:
        return [word]
    if "tuple" in on:
        return tuple(pieces)
    return pieces


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
        mark = "##" if start or "first_marked" in on else ""
        if "unmarked" in on:
            mark = ""
        if "marked_twice" in on and len(pieces) > 1:
            mark = "####"
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


def _glued(word: str, vocab: dict[str, int], unk_token: str) -> list[str]:
    pieces: list[str] = []
    while word:
        end = next((end for end in range(len(word), 0, -1) if word[:end] in vocab), None)
        if end is None:
            return [unk_token]
        pieces.append(word[:end])
        word = "##" + word[end:] if word[end:] else ""
        if len(word) > _ENDLESS:
            raise RuntimeError("it grows for ever")
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
    probes.append(Probe(("aa", {"[UNK]": 0, "a": 1, "##aa": 2})))
    for word, pieces in (  # shorter pieces in front reach the end, or reach it sooner
        ("abcd", "ab ##cd abc"),
        ("abcde", "a ##b ##cde abc ##de"),
        ("abcdef", "abc ##d ##ef ab ##cdef"),
    ):
        probes.append(Probe((word, _numbered(pieces))))
    # With "#" alone, gluing "##" onto the text that is left would come to no end.
    probes.append(Probe(("ax", _numbered("a # ###x"))))
    probes.append(Probe(("hugs", {"hug": 0, "##s": 1, "[UNK]": 2, "hu": 3, "##gs": 4})))
    probes.append(Probe(("unwantedX", dict(VOCAB), "<unknown>")))
    probes.append(Probe(("X", dict(VOCAB)), {"unk_token": "<unknown>"}))
    probes.append(Probe(("unwanted", dict(VOCAB)), {"max_chars": 7}))
    probes.append(Probe(("unwanted", dict(VOCAB)), {"max_chars": 8}))
    return tuple(probes)


def _numbered(pieces: str) -> dict[str, int]:
    return {piece: index for index, piece in enumerate(f"[UNK] {pieces}".split())}


SUBJECTS = (FunctionSubject("wordpiece_tokenize", wordpiece_tokenize, wordpiece_probes),)
