"""Draws words, vocabularies and texts for chapter 01's promises; judges nothing."""

import unicodedata
from collections.abc import Iterable
from random import Random
from string import ascii_lowercase

from .drawn import Case
from .drawn_texts import BARE, SPECIAL, inside, some, words

Vocab = dict[str, int]
_FOREIGN = "jqwxy"  # no drawn word has them


def numbered(random: Random, pieces: Iterable[str], *first: str) -> Vocab:
    """Ids for pieces, in an order drawn anew and not without gaps; from 0 on where some are first.

    Every vocabulary has [UNK].
    """
    rest = [each for each in dict.fromkeys((*pieces, "[UNK]")) if each not in first]
    random.shuffle(rest)
    start, step = (0 if first else random.randint(1, 90)), random.randint(1, 7)
    return {each: start + step * index for index, each in enumerate((*first, *rest))}


def _letters(random: Random, count: int) -> list[str]:
    return random.sample(ascii_lowercase, count)


def _stock(random: Random) -> tuple[list[str], list[str], list[str]]:
    """Beginnings, ends, and pieces of which some are the beginnings of others."""
    stems, tails = words(random, 4, 2, 2), words(random, 3, 1, 1)
    starts = [each[:size] for each in stems for size in (1, 2, len(each))]
    ends = ["##" + each[:size] for each in tails for size in (1, 2, len(each))]
    return stems, tails, [*starts, *ends, tails[0], "##" + stems[0]]


def longest(random: Random) -> list[Case]:
    """Words that are pieces, and words of two and more; the same ones with two vocabularies."""
    stems, tails, pieces = _stock(random)
    vocab = numbered(random, pieces)
    cut = [stems[0], stems[1][0], stems[1] + tails[0], stems[2] + tails[1] + tails[2]]
    cut += [stems[2] + stems[0], tails[0], stems[3][:2] + tails[2], tails[0] + tails[1]]
    a, b, c, d, e = _letters(random, 5)
    overlapping = [a, a + b, a + b + c, f"##{c}{d}", f"##{d}", f"##{b}", f"##{d}{e}", f"##{e}"]
    without = [a, a + b, f"##{a}", *overlapping[3:]]  # as many pieces, and the longest is not there
    other = numbered(random, [stems[1][:1], *("##" + letter for letter in stems[1] + tails[0])])
    first, *rest = _letters(random, 9)
    end = "".join(rest)  # longer than any beginning, [UNK] too
    ending = numbered(random, [first, f"##{end}", *("##" + letter for letter in rest)])
    return [
        *((each, dict(vocab)) for each in cut),
        (a + b + c + d, numbered(random, overlapping)),
        (a + b + c + d, numbered(random, without)),
        (a + b + c + d + e, numbered(random, overlapping)),
        (stems[1] + tails[0], other),
        (first + end, ending),
    ]


def of_changing(random: Random) -> list[Case]:
    """Words with a vocabulary, a piece that it gains between two calls, and that piece's id.

    The last two vocabularies are of one size, and have the same first piece and the same last one.
    """
    stem, tail = words(random, 2, 2, 2)
    a, b, c = _letters(random, 3)
    vocab = numbered(random, [stem[:2], "##" + stem[2:], "##" + tail[:1]])
    new = max(vocab.values()) + 1
    return [
        (stem + tail, dict(vocab), "##" + tail[1:], new),  # unknown before
        (stem, dict(vocab), stem, new),  # of two pieces before
        (a + b, {a: 5, f"##{b}": 2, "[UNK]": 1}, f"##{c}", 9),
        (a + b, {a: 5, f"##{c}": 2, "[UNK]": 1}, f"##{b}", 9),
    ]


def unknown(random: Random) -> list[Case]:
    """Words that begin, or end, or go on in the middle with what no piece fits."""
    stems, tails, pieces = _stock(random)
    vocab = numbered(random, pieces)
    odd = random.choice(_FOREIGN)
    known = stems[1] + tails[1]
    cut = [known + odd, odd + known, odd, stems[1] + odd * 2 + tails[1], stems[1] + stems[2]]
    lone = numbered(random, [stems[0], "##" + tails[2]])
    return [*((each, dict(vocab)) for each in cut), (tails[2], lone), (known, lone)]


def no_way_back(random: Random) -> list[Case]:
    """Where the longest piece leads nowhere, and a shorter one would have led to the end."""
    a, b, c, d, e = _letters(random, 5)
    pieces = [a + b, a + b + c, f"##{c}{d}", e, f"##{a}{b}", f"##{a}{b}{c}"]
    vocab = numbered(random, pieces)
    return [(a + b + c + d, vocab), (e + a + b + c + d, vocab), (a + b + c, vocab)]


def zero(random: Random) -> list[Case]:
    """The id 0 belongs to a first piece, to a later one, to a whole word."""
    stem, tail = words(random, 2, 2, 2)
    pieces = [stem, "##" + tail, stem[:2], "##" + tail[:1], stem[:1]]
    both = [(stem + tail, first) for first in (stem, "##" + tail)]
    return [(cut, numbered(random, pieces, first)) for cut, first in (*both, (stem, stem))]


def as_they_are(random: Random) -> list[Case]:
    """Capital letters, accents, syllables in parts: the vocabulary has some of each."""
    one, two, three = words(random, 3, 2, 2)
    whole = "".join(chr(random.randint(0xAC00, 0xD7A3)) for _ in range(2))
    parts = unicodedata.normalize("NFD", whole)
    pieces = [one, two, two.title(), "é", "##é", three.upper(), "fi"]
    vocab = numbered(random, [*pieces, parts[0], *("##" + part for part in parts[1:])])
    cut = [one.title(), one.upper(), two.title(), three, three.upper(), "é", "éé", "e"]
    cut += [parts, whole, "e\u0301", "ﬁ"]
    return [(each, dict(vocab)) for each in cut]


def signs(random: Random) -> list[Case]:
    """# and ## as text, other signs, special tokens: as in BERT's own vocabulary."""
    a, b = _letters(random, 2)
    mark, other = some(random, ".($&", 2)
    special = random.choice(SPECIAL)
    vocab = numbered(random, ["#", "###", f"###{b}", a, "##" + mark, mark, other, special])
    cut = ["#", f"{a}#", f"{a}##", f"{a}#{b}", b, a + b, mark, a + mark, other, special]
    # What comes to an end also where "##" is glued onto the text that is left.
    first = (a + b, numbered(random, [a, "#", f"###{b}"]))
    return [first, *((each, dict(vocab)) for each in cut)]


def options(random: Random) -> list[Case]:
    """Words around the limits, and another word for unknown ones."""
    a, b = _letters(random, 2)
    stem, tail = words(random, 2, 2, 2)
    size = random.randint(30, 60)
    pieces = [stem, "##" + tail, a * size, "##" + a * (100 - size), "é", "##é", b * 50]
    vocab = numbered(random, [*pieces, "##" + b * 51])
    word, name = stem + tail, random.choice(["<unk>", "<unknown>", "?", "[NONE]"])
    long = "".join(words(random, 2))
    return [
        (a * 100, dict(vocab)),
        (a * 101, dict(vocab)),
        (b * 101, dict(vocab)),
        ("é" * random.randint(51, 99), dict(vocab)),
        (word + random.choice(_FOREIGN), dict(vocab), name),
        (word, dict(vocab), "[UNK]", len(word) - 1),
        (word, dict(vocab), "[UNK]", len(word)),
        (long, numbered(random, [long]), name, len(long) - 1),
        *((word, dict(vocab), piece) for piece in (stem, "##" + tail)),  # no sign of an unknown one
        *((word + random.choice(_FOREIGN), dict(vocab), piece) for piece in (stem, "##" + tail)),
        (stem, {stem: 0}, stem),
        (word, {stem: 0, "##" + tail: 1}),
        *((word, {}, *rest) for rest in ((), (name,), (stem, size), ("",))),
        (word, {stem: 0}),
        *((a * most, numbered(random, [a, "##" + a]), "[UNK]", most) for most in (1, 2, 100)),
        *((a, numbered(random, [a]), name, most) for most in (0, 1)),
        (a * 900, numbered(random, [a * 500, "##" + a * 400]), "[UNK]", 900),
    ]


def _text(random: Random, count: int, whole: list[str]) -> str:
    return " ".join(random.choices(whole, k=count))


def _dictionary(random: Random) -> tuple[list[str], list[str], Vocab]:
    """Words of one piece each, words of more, and a vocabulary of both; [PAD] has the id 0."""
    whole, stems, tails = words(random, 8, 1, 2), words(random, 3, 2, 2), words(random, 3, 1, 1)
    pieces = [*whole, *stems, *("##" + tail for tail in tails), *",.?!", *SPECIAL[1:]]
    several = [stem + tail for stem, tail in zip(stems, tails, strict=True)]
    return whole, several, numbered(random, pieces, "[PAD]")


def texts(random: Random) -> list[Case]:
    """A text and pairs, with signs, pieces and unknown words; any piece may have the id 0."""
    whole, several, vocab = _dictionary(random)
    one, two = _text(random, 2, whole), _text(random, 3, whole)
    odd = random.choice(_FOREIGN) + whole[0]
    pieces = [*whole, *",.?!", *SPECIAL]
    return [
        (f"{one.capitalize()}.", None, dict(vocab)),
        (one, f"{two.title()} {several[0]}{random.choice('.?!')}", dict(vocab)),
        (f"{several[1]} {two}", odd, dict(vocab)),
        (f"{one}, {odd}", one, dict(vocab)),
        (f"{one.capitalize()}.", None, numbered(random, pieces)),
        *(
            (one, None, numbered(random, pieces, each))
            for each in ("[CLS]", "[SEP]", one.split()[0])
        ),
    ]


def split_and_cut(random: Random) -> list[Case]:
    """Accents, Chinese characters, signs within words, what is dropped, and 100 letters and 101."""
    one, two, three = words(random, 3, 2, 2)
    letter, sign = random.choice("àéîõüñç"), random.choice("_$^+`")
    chinese = [chr(random.randint(0x4E00, 0x9FA5)) for _ in range(2)]
    joined = [two + sign + three, f"{two}_{three}", "".join(chinese), one + letter]
    plain = one + unicodedata.normalize("NFD", letter)[0]
    long = random.choice(_FOREIGN)
    pieces = [*joined, plain, two, three, sign, "_", *chinese, long, f"##{long}", *SPECIAL]
    pieces.append(long * 101)  # which no word is cut to
    vocab = numbered(random, pieces)
    return [
        (f"{two} {one}{letter}", None, dict(vocab)),
        (f"{one}{letter} {two}".upper(), three, dict(vocab)),
        (two, f"{three} {''.join(chinese)}", dict(vocab)),
        (f"{three}{chinese[0]}{two} {one}", None, dict(vocab)),
        (f"{one} {two}_{three}", f"{two}{sign}{three}", dict(vocab)),
        (f"{inside(random, two, random.choice(BARE))} {three}", None, dict(vocab)),
        (long * 100, two, dict(vocab)),
        (two, long * 101, dict(vocab)),
    ]


def truncated(random: Random) -> list[Case]:
    """Texts that are longer than there is room, also within a word; 512 is usual."""
    whole, several, vocab = _dictionary(random)
    size = random.randint(7, 12)
    text = _text(random, size, whole)
    split = " ".join(several)  # six pieces
    lengths = [size + 1, random.randint(4, size), 3]
    return [
        *((text, None, dict(vocab), length) for length in lengths),
        (split, None, dict(vocab), random.choice([3, 5, 7])),
        (f"{whole[0]} " * 520, None, dict(vocab)),
        (whole[1], f"{whole[2]} " * 520, dict(vocab)),
        (f"{whole[0]} " * 1_200, None, dict(vocab), 1_100),
    ]


def pairs_truncated(random: Random) -> list[Case]:
    """Pairs of which one or both are cut: the longer in front, behind, neither; odd and even."""
    whole, _, vocab = _dictionary(random)
    few, many = random.randint(2, 4), random.randint(9, 12)
    short, long, equal = (_text(random, count, whole) for count in (few, many, many))
    longs, tiny = words(random, 2, 4, 4), _letters(random, 4)
    letters = numbered(random, [*longs, *tiny, *SPECIAL])
    one_cut = [random.randint(2 * few + 1, many + few - 1) for _ in range(2)]
    odd, even = 2 * random.randint(1, few - 1) + 1, 2 * random.randint(1, few - 1)
    halves = 2 * random.randint(2, many - 2)
    longer, little = _text(random, many + random.randint(1, 3), whole), random.choice([3, 5])
    cases = [
        (long, short, one_cut[0]),
        (short, long, one_cut[1]),
        (long, short, odd),
        (short, long, odd),
        (long, short, even),
        (long, equal, halves + 1),
        (long, equal, halves),
        (whole[0], long, random.randint(3, many)),
        (longer, long, little),  # both alone are longer than max_length
        (long, longer, little),
        (longer, long, little + 1),
    ]
    fitted = [(first, second, dict(vocab), room + 3) for first, second, room in cases]
    # More letters are not more pieces.
    return [*fitted, (" ".join(longs), " ".join(tiny), letters, 8)]


def kept(random: Random) -> list[Case]:
    """What just fits, texts without a word, whole and cut, special tokens, almost no room."""
    whole, _, vocab = _dictionary(random)
    size, token = random.randint(3, 7), random.choice(SPECIAL[1:])
    text, short = _text(random, size, whole), _text(random, 2, whole)
    few = numbered(random, [*whole, "[CLS]", "[SEP]"])
    parts = numbered(random, [*whole, "[CLS]", "[SEP]", "[UNK]", "[", "##MASK", "##PAD", "##]"])
    return [
        (short, "", dict(vocab)),
        (short, " ", dict(vocab)),  # no None and no "": a pair
        ("", short, dict(vocab)),
        ("", None, dict(vocab)),
        (text, whole[0], dict(vocab), size + 4),
        (text, None, dict(vocab), size + 2),
        (text, "", dict(vocab), size + 2),
        (text, " ", dict(vocab), size + 3),
        (text, " ", dict(vocab), size + 2),  # cut by one beside a text without words
        ("", text, dict(vocab), size + 2),
        (f"{short} {token} [PAD] {whole[1]}", None, dict(vocab)),
        (f"[PAD] {whole[2]}", f"{token}", dict(vocab)),
        (f"{short} [SEP] {whole[1]}", None, dict(vocab)),
        (f"{short} [SEP] {whole[1]}", f"[SEP] {whole[2]}", dict(vocab)),
        (f"{short} [MASK] {whole[1]} [PAD]", None, few),  # which need not have them
        (f"{short} [MASK] {whole[1]} [PAD]", None, parts),  # and may have pieces of them
        (text, None, dict(vocab), 2),
        (text, whole[0], dict(vocab), 3),
    ]
