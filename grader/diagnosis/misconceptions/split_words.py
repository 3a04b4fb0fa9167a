"""split_words with its wrong turns: cleaning, accents, punctuation."""

import re
import string
import unicodedata
from collections.abc import Callable
from typing import Any, Literal

from torch import Generator

from solutions.tokenization import CJK_RANGES

from .function_subject import FunctionSubject, Probe
from .switches import NONE, Switches, chosen

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_PATTERN = re.compile("(" + "|".join(map(re.escape, SPECIAL)) + ")")
PARTS: dict[str, Callable[[str], list[Any]]] = {  # the text, cut at its special tokens
    "special_split": lambda text: [text],
    "special_between_spaces": lambda text: re.split(r"(\s+)", text),
    "special_any_case": lambda text: re.split(_PATTERN.pattern, text, flags=re.IGNORECASE),
}
LOWERED: dict[str, Callable[[str], str]] = {
    "casefold": str.casefold,
    "lowered_whole": str.lower,
}
FORMS: dict[str, Literal["NFC", "NFKD"]] = {"compatibility": "NFKD", "composed": "NFC"}


def split_words(text: str, on: Switches = NONE) -> list[str]:
    """The reference with switches."""
    words: list[str] = []
    for part in chosen(PARTS, on, lambda text: _PATTERN.split(text))(text):
        special = part.upper() if "special_any_case" in on else part
        if special in SPECIAL and "special_split" not in on:
            words.append(part)
        else:
            words += _split(part, on)
    return words


def _split(part: str, on: Switches) -> list[str]:
    if "control_kept" not in on:
        spared = "" if "white_space_dropped" in on else "\t\n\r"
        part = "".join(c for c in part if c in spared or not _control(c, on))
    if "cjk_together" not in on:
        part = "".join(f" {c} " if _chinese(c, on) else c for c in part)
    if "accents_kept" not in on:
        if "not_decomposed" not in on:
            part = unicodedata.normalize(chosen(FORMS, on, "NFD"), part)
        part = "".join(c for c in part if unicodedata.category(c) != "Mn")
    if "ascii_only" in on:
        part = "".join(c for c in part if ord(c) < 128)
    if "case_kept" not in on:
        part = chosen(LOWERED, on, lambda text: "".join(c.lower() for c in text))(part)
    if "punctuation_dropped" in on:
        return "".join(" " if _punctuation(c, on) else c for c in part).split()
    if "punctuation_attached" in on:
        return part.split()
    if "only_at_ends" in on:
        return [piece for word in part.split() for piece in _ends(word, on)]
    spaced = "".join(f" {c} " if _punctuation(c, on) else c for c in part)
    if "runs_together" in on:
        spaced = re.sub(r"  ?", " ", re.sub(r"(?<=[^\w\s])  (?=[^\w\s])", "", spaced))
    if "all_runs_together" in on:
        spaced = re.sub(r"(?<=[^\w\s]|_)  (?=[^\w\s]|_)", "", spaced)
    return spaced.split(" ") if "spaces_alone" in on else spaced.split()


def _ends(word: str, on: Switches) -> list[str]:
    after: list[str] = []
    before: list[str] = []
    while word and _punctuation(word[0], on):
        before, word = [*before, word[0]], word[1:]
    while word and _punctuation(word[-1], on):
        after, word = [word[-1], *after], word[:-1]
    return [*before, *([word] if word else []), *after]


def _control(c: str, on: Switches) -> bool:
    if c == "\ufffd":
        return "format_kept" not in on
    dropped = ("Cc",) if on & {"format_kept", "format_alone_kept"} else ("Cc", "Cf", "Co", "Cs")
    return unicodedata.category(c) in dropped


def _chinese(c: str, on: Switches) -> bool:
    if "cjk_common_alone" in on:
        return 0x4E00 <= ord(c) <= 0x9FFF
    if "kana_split" in on and ("\u3040" <= c <= "\u30ff" or "\uac00" <= c <= "\ud7a3"):
        return True
    return any(first <= ord(c) <= last for first, last in CJK_RANGES)


def _punctuation(c: str, on: Switches) -> bool:
    if ("hyphen_kept" in on and c in "-'") or ("underscore_kept" in on and c == "_"):
        return False
    if "symbols_split" in on and unicodedata.category(c).startswith("S"):
        return True
    is_ascii = c in string.punctuation and "no_ascii_signs" not in on
    is_other = unicodedata.category(c).startswith("P") and "ascii_signs_alone" not in on
    return is_ascii or is_other


def words_probes(generator: Generator) -> tuple[Probe, ...]:
    """One text for each rule, and some with several."""
    texts = ["Time flies like an arrow.", "air,lower.upper", "Café naïve Ünïcode", "HELLO World"]
    texts += ["a [MASK] b", "[CLS] Time [SEP]", "中文 text", "abc中文def", "don't well-known"]
    texts += ["x\x00y\x07z", "price: $5+3^2 ~ok`", "“quoted” — dash…", "a\tb\nc  d", "", "   "]
    texts += ["Straße", "ﬁne ①", "wait...what?!", "[mask] (x)", "end.", "[MASK]", "Cafe\u0301"]
    texts += ["a_b __init__", "5€ x©y", "こんにちは", "한국어", "foo[MASK]bar", "[MASK]."]
    texts += ["a\u200db", "a\ufffdb", "soft\u00adhyphen", "a\u3400", "x\uf900y", "z\U00020000"]
    texts += ["ΟΔΟΣ"]
    return tuple(Probe((text,)) for text in texts)


SUBJECTS = (FunctionSubject("split_words", split_words, words_probes),)
