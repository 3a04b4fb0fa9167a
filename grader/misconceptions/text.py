"""Known wrong turns of splitting text into words: cleaning, accents, punctuation."""

from __future__ import annotations

import re
import string
import unicodedata

from torch import Generator

from .subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_PATTERN = re.compile("(" + "|".join(map(re.escape, SPECIAL)) + ")")
_CJK = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF))


def split_words(text: str, on: Switches = NONE) -> list[str]:
    """The reference with switches."""
    whole = "special_split" in on
    words: list[str] = []
    for part in [text] if whole else _PATTERN.split(text):
        if not whole and part in SPECIAL:
            words.append(part)
        else:
            words += _split(part, on)
    return words


def _split(part: str, on: Switches) -> list[str]:
    if "control_kept" not in on:
        part = "".join(c for c in part if c in "\t\n\r" or not _control(c))
    if "cjk_together" not in on:
        part = "".join(f" {c} " if _chinese(c) else c for c in part)
    if "accents_kept" not in on:
        part = unicodedata.normalize("NFKD" if "compatibility" in on else "NFD", part)
        part = "".join(c for c in part if unicodedata.category(c) != "Mn")
    if "ascii_only" in on:
        part = "".join(c for c in part if ord(c) < 128)
    if "case_kept" not in on:
        part = part.casefold() if "casefold" in on else "".join(c.lower() for c in part)
    if "punctuation_dropped" in on:
        return "".join(" " if _punctuation(c, on) else c for c in part).split()
    if "punctuation_attached" in on:
        return part.split()
    if "only_at_ends" in on:
        return [piece for word in part.split() for piece in _ends(word, on)]
    spaced = "".join(f" {c} " if _punctuation(c, on) else c for c in part)
    if "runs_together" in on:
        spaced = re.sub(r"  ?", " ", re.sub(r"(?<=[^\w\s])  (?=[^\w\s])", "", spaced))
    return spaced.split(" ") if "spaces_alone" in on else spaced.split()


def _ends(word: str, on: Switches) -> list[str]:
    after: list[str] = []
    before: list[str] = []
    while word and _punctuation(word[0], on):
        before, word = [*before, word[0]], word[1:]
    while word and _punctuation(word[-1], on):
        after, word = [word[-1], *after], word[:-1]
    return [*before, *([word] if word else []), *after]


def _control(c: str) -> bool:
    return c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs")


def _chinese(c: str) -> bool:
    return any(first <= ord(c) <= last for first, last in _CJK)


def _punctuation(c: str, on: Switches) -> bool:
    if "hyphen_kept" in on and c in "-'":
        return False
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
    texts += ["Straße", "ﬁne ①", "wait...what?!", "[mask] (x)", "end."]
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
        "compatibility",
        "The decomposition is the compatible one (NFKD): ligatures and circled digits are "
        "replaced too.",
        "Which of Unicode's normal forms only takes accents apart?",
    ),
)

SUBJECTS = (FunctionSubject("split_words", split_words, words_probes, WORDS),)
