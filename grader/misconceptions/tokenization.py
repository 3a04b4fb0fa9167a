"""Known wrong turns of cutting words into pieces and of padding lists of ids."""

from __future__ import annotations

from typing import Any

from torch import Generator

from .other_cuts import from_the_end, merged
from .subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()
_PIECES = (
    "[UNK] un want ##want ##ed able ##able a ##a ab abc ##cd hug hu ##gs ##s ##ing é ##é ##x x ##n "
    "play ##ing ##play ##er er ed ##e ##d Able ## s"
)
VOCAB = {piece: index for index, piece in enumerate(dict.fromkeys(_PIECES.split()))}
VOCAB |= {"a" * 60: 500, "##" + "a" * 40: 501, "b" * 50: 502, "##" + "b" * 51: 503}


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
    if "lowered" in on:
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
    if "merged" in on:
        pieces = merged(word, vocab, unk_token)
    elif "from_the_end" in on:
        pieces = from_the_end(word, vocab, unk_token)
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
        if piece in vocab:
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
    probes.append(Probe(("unwantedX", dict(VOCAB), "<unknown>")))
    probes.append(Probe(("X", dict(VOCAB)), {"unk_token": "<unknown>"}))
    probes.append(Probe(("unwanted", dict(VOCAB)), {"max_chars": 7}))
    probes.append(Probe(("unwanted", dict(VOCAB)), {"max_chars": 8}))
    return tuple(probes)


_UNKNOWN = "What should come back for a word whose last letter no piece covers?"
_MARK = "Which pieces are looked up with ## in front, and which ones come back with it?"
WORDPIECE = (
    Misconception(
        "in_none",
        "The code tests `piece in None` where `piece is None` was meant: None is not a container.",
        "Which operator asks whether something is None?",
        error=r"argument of type 'NoneType' is not (a container or )?iterable|in None",
    ),
    Misconception(
        "unmarked",
        "Continuation pieces are looked up without ##: a piece in the middle of a word is taken "
        "for the beginning of one.",
        _MARK,
    ),
    Misconception(
        "unknown_after_pieces",
        "The pieces found so far are kept and followed by the unknown token; the whole word "
        "should be unknown.",
        _UNKNOWN,
    ),
    Misconception(
        "pieces_kept",
        "The pieces found so far come back as if they were the word; what did not fit is dropped.",
        _UNKNOWN,
    ),
    Misconception(
        "unknown_each",
        "There is one unknown token for each character that does not fit, instead of one for the "
        "word.",
        _UNKNOWN,
    ),
    Misconception(
        "advance_by_piece",
        "The position advances by the length of the prefixed piece, ## included, so characters are "
        "skipped after each continuation.",
        "How many characters of the word does the piece ##ed cover?",
    ),
    Misconception(
        "lowered",
        "The word is lower-cased first. That was the business of split_words: here a capital "
        "letter that the vocabulary does not have makes the word unknown.",
        "In which step of the tokenizer do the letters become small?",
    ),
    Misconception(
        "first_marked",
        "The first piece is looked up with ## as well, so almost every word is unknown.",
        _MARK,
    ),
    Misconception(
        "marked_twice",
        "The ## stays glued to what is left of the word, so the third piece is looked up with "
        "####.",
        "What is left of the word after a piece has been cut off: with or without ##?",
    ),
    Misconception(
        "uncut",
        "Every word comes back whole, whether the vocabulary has it or not.",
        "Which pieces does the vocabulary have for a word that it does not have whole?",
    ),
    Misconception(
        "nothing",
        "An empty list comes back for every word.",
        "Where do the pieces go that were found?",
    ),
    Misconception(
        "last_left_out",
        "Every word comes back as unknown, even one that the vocabulary has as a whole: as if the "
        "last character were never part of a piece that is tried.",
        "What does word[start:end] hold when end is the length of the word?",
    ),
    Misconception(
        "single_left_out",
        "Off by one: pieces of a single character are never tried.",
        "What is the smallest end that makes word[start:end] non-empty?",
    ),
    Misconception(
        "shortest",
        "The shortest piece that fits is taken instead of the longest.",
        "From which side should the end of a piece be tried?",
    ),
    Misconception(
        "merged",
        "Single characters are merged into longer pieces, pair by pair, as BPE does: where the "
        "order of merging and the longest piece disagree, other pieces come out.",
        "At which end of the word does the search begin, and with how long a piece?",
    ),
    Misconception(
        "from_the_end",
        "The longest piece is searched from the end of the word, not from its beginning.",
        "Which end of the word is to be covered first?",
    ),
    Misconception(
        "whole_word_only",
        "Only whole words are looked up: what is not in the vocabulary as it stands is unknown.",
        "What should become of a word that consists of two known pieces?",
    ),
    Misconception(
        "anywhere",
        "Every piece that occurs somewhere in the word is taken: joined, they do not give the "
        "word.",
        "Where must the next piece begin?",
    ),
    Misconception(
        "either_form",
        "A continuation is also looked up without ## where the marked form is missing: a piece "
        "from the middle of a word is taken for the beginning of one.",
        _MARK,
    ),
    Misconception(
        "no_limit",
        "Words of more than max_chars characters are cut as well; they should be unknown.",
        "What does max_chars bound?",
    ),
    Misconception(
        "limit_inclusive",
        "Off by one: a word of exactly max_chars characters is already called unknown.",
        "Is a word of max_chars characters longer than max_chars?",
    ),
    Misconception(
        "limit_in_pieces",
        "The limit counts pieces; it should count the characters of the word.",
        "What does max_chars count?",
    ),
    Misconception(
        "limit_in_bytes",
        "The limit counts bytes: words with accents reach it too early.",
        "How many characters does é have, and how many bytes?",
    ),
    Misconception(
        "limit_fixed",
        "The limit is always 100, whatever max_chars says.",
        "What changes in your result when max_chars changes?",
    ),
    Misconception(
        "unknown_fixed",
        "The unknown token is always [UNK], whatever unk_token says.",
        "What changes in your result when unk_token changes?",
    ),
    Misconception(
        "unmarked_result",
        "The pieces come back without their ##: nobody can tell any more where a word began.",
        _MARK,
    ),
    Misconception(
        "ids",
        "Ids come back instead of pieces: that is the next step.",
        "What does this function promise: pieces or ids?",
    ),
    Misconception(
        "joined",
        "The pieces come back as one string; a list was promised.",
        "What type was promised?",
    ),
    Misconception(
        "bare_unknown",
        "The unknown token comes back by itself, as a string; a list with it was promised.",
        "What type was promised?",
    ),
    Misconception(
        "empty_unknown",
        "A word that cannot be cut comes back as an empty list: it vanishes from the sentence.",
        _UNKNOWN,
    ),
    Misconception(
        "word_unknown",
        "A word that cannot be cut comes back as it is, although the vocabulary does not have it.",
        _UNKNOWN,
    ),
    Misconception(
        "tuple",
        "The pieces come back in a tuple; a list was promised.",
        "What type was promised?",
    ),
)

SUBJECTS = (FunctionSubject("wordpiece_tokenize", wordpiece_tokenize, wordpiece_probes, WORDPIECE),)
