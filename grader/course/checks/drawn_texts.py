"""Draws texts, words and vocabularies for chapter 01, some for each promise; judges nothing."""

import unicodedata
from collections.abc import Iterable, Sequence
from random import Random

_CONSONANTS, _VOWELS = "bcdfghklmnprstvz", "aeiou"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ACCENTED = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿāčďěğłńőřšťůźžế"
WITHOUT_ACCENT = "æøœđı"  # nothing can be taken apart here
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
# Of each category of punctuation, and of each category of symbols, which are none.
TYPOGRAPHIC = "‿⁀﹏", "–—־", "„‚「", "」』", "“‘«", "”’»", "…·¿¡", "§¶؟", "、。"
SYMBOLS = "€£₽", "±×÷→", "©°♥🙂\ufffc", "´¸˂"
ENCLOSING = "\u20dd\u20e0\u20e3\ua670"  # marks of category Me, which is not Mn
COMPOSED_SIGNS = "≠≮≯\u1fef"  # punctuation once they are decomposed
WHITE_SPACE = "\t\n\r\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"
CHINESE = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF)),
    *((0x2A700, 0x2B81D), (0x2B920, 0x2CEA1), (0x2F800, 0x2FA1D)),
)
# The first and the last of each block, and what stands right before, behind or between blocks.
ENDS = "\u3400\u4dbf\u4e00\u9ffc\uf900\ufad9\U00020000\U0002a6d6\U0002a700\U0002b81d"
ENDS += "\U0002b920\U0002cea1\U0002f800\U0002fa1d"
NEIGHBOURS = "\u33ff\u4dc0\u4dff\ua000\ufb00\u2e80\u2fd5\u3007\u3105\u31c0"
CONTROL_SPACE = "\x0b\x0c\x1c\x1d\x1e\x1f\x85"  # white space to Python, dropped by BERT
BARE = "\x00\x01\x07\x08\x1b\x7f\u200b\u200d\u00ad\ufeff\u2060\ue000\ufffd"
UNASSIGNED = "\u0378\ufdd0\uffff\U000e0080"  # of category Cn, which is not dropped
# Of the same categories beyond U+FFFF, where a character may be two to other languages.
FAR_SIGNS, FAR_MARKS = "\U00010100\U0001039f\U00011047", "\U0001d167\U00011001\U000e0100"
FAR_BARE = "\U000e0001\U000f0000\U00100000"


def word(random: Random, least: int = 1, most: int = 3) -> str:
    """A word of that many syllables, in small letters."""
    count = random.randint(least, most)
    syllables = (random.choice(_CONSONANTS) + random.choice(_VOWELS) for _ in range(count))
    return "".join(syllables) + random.choice(["", random.choice(_CONSONANTS)])


def words(random: Random, count: int, least: int = 1, most: int = 3) -> list[str]:
    """So many of them, all different."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[word(random, least, most)] = None
    return list(found)


def inside(random: Random, text: str, what: str) -> str:
    """The text with something put into it, neither in front nor at the end."""
    at = random.randint(1, max(1, len(text) - 1))
    return text[:at] + what + text[at:]


def spread(random: Random, pool: Iterable[str]) -> list[str]:
    """A word for each of the pool, which stands within it."""
    return [inside(random, word(random, 2, 3), each) for each in pool]


def some(random: Random, pool: Sequence[str], count: int) -> list[str]:
    """So many different ones."""
    return random.sample(list(pool), count)


def plain(random: Random) -> list[str]:
    """Sentences of ordinary words, capitals and signs."""
    one, two, three, four = words(random, 4)
    return [
        f"{one.title()} {two} {three}{random.choice('.!?')}",
        f"{one},{two}{random.choice('.;:')}{three.upper()}",
        f"{three.upper()}  {four.title()}!",
        f"{two} {one} ({four})?",
        word(random),
        f"{four} {random.randint(2, 999)} {one}",
    ]


def accents(random: Random) -> list[str]:
    """Accents of many scripts, and letters and signs that only look like some."""
    composed = spread(random, some(random, ACCENTED, 4))
    greek = "".join(random.choices("ΑΒΓΔΛΜΝΟΠΡΤΦΩ", k=random.randint(2, 5)))
    arabic = "".join(random.choices("بتجدرسكلمن", k=3))
    hebrew = "".join(random.choices("אבגדהלמנרש", k=3))
    hindi = random.choice("कखगजतनपमर") + random.choice("\u093e\u093f\u0940")
    below = random.choice("कखगजतनपमर") + random.choice("\u0941\u0942\u0947\u0948")
    return [
        " ".join(composed),
        unicodedata.normalize("NFD", composed[0]),
        composed[1].upper(),
        *spread(random, ["ß", WITHOUT_ACCENT]),
        "".join(some(random, ACCENTED, len(ACCENTED))),
        f"İ{word(random)}",
        f"{greek}Σ",  # each letter by itself: no final sigma
        f"{greek}ΐΆ",
        inside(random, arabic, random.choice("\u064b\u064e\u064f\u0650\u0651\u0652")),
        inside(random, hebrew, random.choice("\u05b0\u05b4\u05b7\u05b8\u05bc\u05c1")),
        f"{hindi}{random.choice('कखगजत')}",
        f"{below}{random.choice('कखगजत')}",  # marks by their category, not by how they combine
        *spread(random, ("ﬁ", "①", "²", "Å", "Ⅷ", *ENCLOSING, *FAR_MARKS)),
        f"{random.randint(0, 9)}\ufe0f\u20e3{word(random)}",
    ]


def signs(random: Random) -> list[str]:
    """Signs in words, in a row, at both ends, typographic ones, and symbols that are none."""
    one, two = words(random, 2)
    row = "".join(some(random, SIGNS.translate({ord(c): None for c in "[]"}), 3))
    return [
        f"{one}'{two} {two}-{one}",
        f"{one}{row}{two}{random.choice('.!?') * 3}",
        f"__{one}_{two}__",
        *spread(random, some(random, "$+<=>^`|~", 4)),
        "".join(f"{sign}{random.choice(_VOWELS)}" for sign in SIGNS),
        *spread(random, map(random.choice, (*TYPOGRAPHIC, FAR_SIGNS))),
        f"“{two}”",
        *spread(random, map(random.choice, SYMBOLS)),
        *spread(random, COMPOSED_SIGNS),
        inside(random, word(random, 2), f"{random.choice('#[]')}{random.choice('()[]')}"),
    ]


def _chinese(random: Random, block: tuple[int, int] = CHINESE[0]) -> str:
    return chr(random.randint(*block))


def chinese(random: Random) -> list[str]:
    """Chinese characters, common and rare, and scripts beside them that are written in words."""
    one, two = words(random, 2)
    kana = "".join(random.choices("あいうえおかきくけこがぎぐバパ", k=4))
    hangul = "".join(chr(random.randint(0xAC00, 0xD7A3)) for _ in range(3))
    return [
        _chinese(random) + _chinese(random),
        f"{one}{_chinese(random)}{_chinese(random)}{two}",
        f"{_chinese(random)} {one} {_chinese(random)}",
        *(f"{one}{_chinese(random, block)}" for block in CHINESE),
        f"{two}{chr(random.randint(0xF900, 0xFA0D))}{one}",
        f"{one}{ENDS}",
        *spread(random, NEIGHBOURS),
        kana,
        "".join(random.choices("アイウエオカキクケコ", k=4)),
        hangul,
    ]


def special(random: Random) -> list[str]:
    """Special tokens in the text, and what only looks like one."""
    one, two = words(random, 2)
    first, second, third = some(random, SPECIAL, 3)
    nearly = "[", "]", first[:-1], first[1:], first.lower(), f"[{two}]", f"[{one} "
    return [
        f"{one} {first} {two}",
        f"[CLS] {one.title()} {two} [SEP]",
        f"{one}{second}{two}",
        f"({one} {third}.)",
        f"{second}{first}",
        f"{first.lower()} {one}",
        f"{two} {random.choice(['[MASK', 'MASK]', '[ MASK ]'])}",
        f"[{two.title()}]",
        f"{one} [{two.upper()}]",
        *(f"{one} {each} {two}" for each in SPECIAL),
        *(form.format(each, second) for each in nearly for form in ("{}{}", "{1}{0}", "{0}{1}{0}")),
        inside(random, first, second),
        inside(random, first, random.choice(BARE)),  # none, as cleaning comes later
    ]


def clean(random: Random) -> list[str]:
    """Invisible characters, white space of all kinds, and texts without a word."""
    one, two = words(random, 2)
    spaces = "".join(random.choices(" \t\n\r\u3000", k=random.randint(1, 3)))
    return [
        *spread(random, (*BARE, *CONTROL_SPACE, *FAR_BARE, *UNASSIGNED)),
        "".join(inside(random, word(random, 2), each) for each in some(random, BARE, 2)),
        *(f"{one}{each}{two}" for each in WHITE_SPACE),
        f"{one} \r\n {two}",
        f"{spaces}{two}{spaces}",
        "",
        spaces,
        random.choice("\x00\x07\u200b"),
        f"{two} " * random.randint(1_025, 1_200),
        random.choice(_VOWELS) * random.randint(1_025, 1_200),
    ]
