"""Known wrong turns of splitting text into words: cleaning, accents, punctuation."""

from __future__ import annotations

import re
import string
import unicodedata

from torch import Generator

from solutions.tokenization import CJK_RANGES

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_PATTERN = re.compile("(" + "|".join(map(re.escape, SPECIAL)) + ")")


def split_words(text: str, on: Switches = NONE) -> list[str]:
    """The reference with switches."""
    words: list[str] = []
    for part in _parts(text, on):
        if _is_special(part, on):
            words.append(part)
        else:
            words += _split(part, on)
    return words


def _parts(text: str, on: Switches) -> list[str]:
    """The text, cut at its special tokens."""
    if "special_split" in on:
        return [text]
    if "special_between_spaces" in on:
        return re.split(r"(\s+)", text)
    if "special_any_case" in on:
        return re.split(_PATTERN.pattern, text, flags=re.IGNORECASE)
    return _PATTERN.split(text)


def _is_special(part: str, on: Switches) -> bool:
    if "special_any_case" in on:
        part = part.upper()
    return part in SPECIAL and "special_split" not in on


def _split(part: str, on: Switches) -> list[str]:
    if "control_kept" not in on:
        part = "".join(c for c in part if c in "\t\n\r" or not _control(c, on))
    if "cjk_together" not in on:
        part = "".join(f" {c} " if _chinese(c, on) else c for c in part)
    if "accents_kept" not in on:
        if "not_decomposed" not in on:
            part = _normal(part, on)
        part = "".join(c for c in part if unicodedata.category(c) != "Mn")
    if "ascii_only" in on:
        part = "".join(c for c in part if ord(c) < 128)
    if "case_kept" not in on:
        part = _small(part, on)
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


def _normal(part: str, on: Switches) -> str:
    if "compatibility" in on:
        return unicodedata.normalize("NFKD", part)
    return unicodedata.normalize("NFC" if "composed" in on else "NFD", part)


def _small(part: str, on: Switches) -> str:
    if "casefold" in on:
        return part.casefold()
    return "".join(c.lower() for c in part)


def _ends(word: str, on: Switches) -> list[str]:
    after: list[str] = []
    before: list[str] = []
    while word and _punctuation(word[0], on):
        before, word = [*before, word[0]], word[1:]
    while word and _punctuation(word[-1], on):
        after, word = [word[-1], *after], word[:-1]
    return [*before, *([word] if word else []), *after]


def _control(c: str, on: Switches) -> bool:
    if "format_kept" in on:
        return unicodedata.category(c) == "Cc"
    return c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs")


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
    if "ascii_signs_alone" in on:
        return c in string.punctuation
    if "no_ascii_signs" in on:
        return unicodedata.category(c).startswith("P")
    return c in string.punctuation or unicodedata.category(c).startswith("P")


def words_probes(generator: Generator) -> tuple[Probe, ...]:
    """One text for each rule, and some with several."""
    texts = ["Time flies like an arrow.", "air,lower.upper", "Café naïve Ünïcode", "HELLO World"]
    texts += ["a [MASK] b", "[CLS] Time [SEP]", "中文 text", "abc中文def", "don't well-known"]
    texts += ["x\x00y\x07z", "price: $5+3^2 ~ok`", "“quoted” — dash…", "a\tb\nc  d", "", "   "]
    texts += ["Straße", "ﬁne ①", "wait...what?!", "[mask] (x)", "end.", "[MASK]", "Cafe\u0301"]
    texts += ["a_b __init__", "5€ x©y", "こんにちは", "한국어", "foo[MASK]bar", "[MASK]."]
    texts += ["a\u200db", "a\ufffdb", "soft\u00adhyphen", "a\u3400", "x\uf900y", "z\U00020000"]
    return tuple(Probe((text,)) for text in texts)


WORDS = (
    Misconception(
        "case_kept",
        "Capital letters stay: an uncased vocabulary does not have them, so they become unknown.",
        "What does the vocabulary of an uncased model hold?",
    ),
    Misconception(
        "accents_kept",
        "Accents stay on their letters: café and cafe are different words.",
        "What does Unicode's decomposition (NFD) make of é, and which part of it is the accent?",
    ),
    Misconception(
        "not_decomposed",
        "Accents are dropped only where they are characters of their own: é as one character "
        "keeps its accent.",
        "What does Unicode's decomposition (NFD) make of é, and when must that happen?",
    ),
    Misconception(
        "punctuation_attached",
        "The text is split on white space alone, so punctuation stays attached to its word.",
        "What should become of the full stop in “arrow.”?",
    ),
    Misconception(
        "only_at_ends",
        "Punctuation is cut off at the ends of words, but not in the middle of them.",
        "What should become of “air,lower”?",
    ),
    Misconception(
        "punctuation_dropped",
        "Punctuation is dropped; each sign should be a word of its own.",
        "Where did the full stop go?",
    ),
    Misconception(
        "runs_together",
        "Several signs in a row stay one word; each should be a word of its own.",
        "How many words is “...”?",
        ways=("all_runs_together",),
    ),
    Misconception(
        "special_split",
        "Special tokens such as [MASK] are lower-cased and split at their brackets: one token "
        "becomes three words.",
        "How many words should [MASK] be?",
    ),
    Misconception(
        "cjk_together",
        "Chinese characters stay together; each should be a word of its own.",
        "Are there spaces between the words of a Chinese sentence?",
    ),
    Misconception(
        "control_kept",
        "Control characters stay in the words, where nobody sees them.",
        "What does “x\\x00y” look like to the vocabulary?",
    ),
    Misconception(
        "ascii_only",
        "Everything outside of ASCII is dropped, not only the accents: whole words vanish.",
        "What should become of a Chinese character or of “ß”?",
    ),
    Misconception(
        "no_ascii_signs",
        "Signs such as $ + ^ ~ stay attached: Unicode does not call them punctuation, BERT does.",
        "Which ASCII signs are neither letters nor digits, and what does BERT do with them?",
    ),
    Misconception(
        "ascii_signs_alone",
        "Only ASCII punctuation is split off: typographic quotes and dashes stay attached.",
        "Is “ punctuation?",
    ),
    Misconception(
        "hyphen_kept",
        "Hyphens and apostrophes stay inside of words; BERT splits there as well.",
        "How many words is “don't” to BERT?",
    ),
    Misconception(
        "underscore_kept",
        "The underscore stays inside of words, as if it were a letter.",
        "Is the underscore punctuation to BERT, and what does a regular expression's \\w hold?",
    ),
    Misconception(
        "symbols_split",
        "Symbols such as € or © become words of their own, but they are no punctuation.",
        "Which categories of Unicode does BERT call punctuation?",
    ),
    Misconception(
        "cjk_common_alone",
        "Only the common Chinese characters become words of their own, the rarer ones do not.",
        "In how many ranges of Unicode are there Chinese characters?",
    ),
    Misconception(
        "kana_split",
        "Kana or Hangul are taken for Chinese characters and cut up.",
        "Which scripts write without spaces between words, and which of them does BERT cut up?",
    ),
    Misconception(
        "special_between_spaces",
        "Special tokens stay whole only where white space stands around them.",
        "What should become of foo[MASK]bar?",
    ),
    Misconception(
        "special_any_case",
        "[mask] in small letters is taken for the special token.",
        "Is [mask] in a text the same as [MASK]?",
    ),
    Misconception(
        "format_kept",
        "Characters of control go, but other invisible ones stay, such as zero-width joiners.",
        "Which categories of Unicode hold characters that nobody sees?",
    ),
    Misconception(
        "spaces_alone",
        "The text is split at single spaces, so empty words appear, or tabs and line ends stay.",
        "What does split do with two spaces in a row, with and without an argument?",
    ),
    Misconception(
        "casefold",
        "The letters are case-folded, which is more than lowercasing: ß becomes ss.",
        "Which method only makes letters small?",
    ),
    Misconception(
        "composed",
        "The text is composed (NFC), not taken apart: an accent is no character of its own then, "
        "and stays where it is.",
        "Of how many characters is é made in each of Unicode's normal forms?",
    ),
    Misconception(
        "compatibility",
        "The decomposition is the compatible one (NFKD): ligatures and circled digits are "
        "replaced too.",
        "Which of Unicode's normal forms only takes accents apart?",
    ),
)

SUBJECTS = (FunctionSubject("split_words", split_words, words_probes, WORDS),)
