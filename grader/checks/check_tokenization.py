"""Hidden checks of chapter 01's functions: words, pieces, ids, padded batches."""

import unicodedata
from typing import Any

from torch import Tensor

from ..candidate.candidate import Candidate
from ..candidate.message import Message, known, say
from ..diagnosis.facts import kind_of, shown
from ..diagnosis.misconceptions.encode import ENCODE_VOCAB
from ..diagnosis.misconceptions.wordpiece_tokenize import VOCAB
from ..wall.transport import WorkerDied
from . import Reference, check
from .expect import Mismatch, agree, wrong

KEEP_LISTS = """
def grader_pad_batch(sequences, pad_id):
    pad_batch(sequences, pad_id)
    return sequences
"""
# As in BERT's own vocabulary: signs are pieces, and ids are not counted through.
_SIGNS = "[UNK] [MASK] # ### ###x a ##. . ( $"
SIGNS = {piece: 100 + 7 * index for index, piece in enumerate(_SIGNS.split())}


def _same(candidate: Candidate, reference: Reference, *args: Any) -> None:
    """Compare the answers; what is told of them can be tried again."""
    is_large = [isinstance(arg, dict) and len(arg) > 9 for arg in args]
    shown = ", ".join(_shown(a) for a, large in zip(args, is_large, strict=True) if not large)
    what = f"For {shown}"
    expected = reference(*args)
    try:
        got = candidate(*args)
    except WorkerDied as died:
        raise WorkerDied(died.kind, f"{died.detail} ({what[0].lower()}{what[1:]})") from None
    try:
        agree(got, expected, what=what)
    except Mismatch as wrong:
        raise wrong.and_also(_look_alike(got, expected)) from None


def _shown(arg: Any) -> str:
    if isinstance(arg, str) and len(arg) > 50:
        for unit in (arg[0], arg[: arg.find(" ") + 1]):
            times = arg.count(unit) if unit else 0
            if unit * times == arg:
                return f"{unit!r} * {times}"
    return repr(arg)


def _look_alike(got: Any, expected: Any) -> Message | None:
    """A sentence on the first two words that look the same and are not; None where none do."""
    if not isinstance(got, list):
        return None
    for one, other in zip(got, expected, strict=False):
        if not isinstance(one, str) or one == other:
            continue
        if unicodedata.normalize("NFC", one) != unicodedata.normalize("NFC", other):
            return None
        points = _code_points(one), known(_code_points(other))
        return say("They look alike: {} came, {} was expected.", *points)
    return None


def _code_points(word: str) -> str:
    shown = " ".join(f"U+{ord(char):04X}" for char in word[:12])
    return f"{shown} ..." if word[12:] else shown


@check("split_words", weight=3, essential=True)
def test_words(candidate: Candidate, reference: Reference) -> None:
    """Text is split on white space and punctuation, and small letters are left."""
    texts = ("Time flies like an arrow.", "air,lower.upper", "HELLO  World!", "Is it (so)?", "ab")
    for text in (*texts, texts[0]):
        _same(candidate, reference, text)


@check("split_words")
def test_words_accents(candidate: Candidate, reference: Reference) -> None:
    """Accents are dropped, composed or not, and only they: a vowel sign of Hindi stays."""
    for text in ("Café naïve", "Cafe\u0301", "ÜBER façade", "Straße", "İzmir", "की"):
        _same(candidate, reference, text)


@check("split_words")
def test_words_punctuation(candidate: Candidate, reference: Reference) -> None:
    """Every sign is a word of its own: in the middle of words, in a row, typographic, and $ + ^."""
    signs = ("don't well-known", "wait...what?!", "“quoted” — dash…", "$5+3^2 ~ok`")
    for text in (*signs, "5€ x©y", "a_b __init__"):
        _same(candidate, reference, text)


@check("split_words")
def test_words_chinese(candidate: Candidate, reference: Reference) -> None:
    """Every Chinese character is a word of its own, rare ones too, but no kana and no Hangul."""
    for text in (
        "中文",
        "abc中文def",
        "我 like 你",
        "こんにちは",
        "한국어",
        "a\u3400x\uf900y\U00020000",
    ):
        _same(candidate, reference, text)


@check("split_words")
def test_words_special(candidate: Candidate, reference: Reference) -> None:
    """Special tokens written in the text stay whole, wherever they stand; [mask] is none."""
    inside = ("foo[MASK]bar", "(a [MASK].)", "[mask] is none", "[MASK][SEP]")
    for text in ("a [MASK] b", "[CLS] Time flies [SEP]", *inside):
        _same(candidate, reference, text)


@check("split_words")
def test_words_clean(candidate: Candidate, reference: Reference) -> None:
    """Invisible characters go, all white space separates, an empty text has no words."""
    invisible = ("x\x00y\x07z", "a\u200db", "a\ufffdb", "soft\u00adhyphen")
    spaces = ("a\tb\nc \r\n d", "", "   ", "no\u00a0break", "wide\u3000space")
    for text in (*invisible, *spaces):
        _same(candidate, reference, text)


@check("wordpiece_tokenize", weight=3, essential=True)
def test_pieces(candidate: Candidate, reference: Reference) -> None:
    """Always the longest piece that fits next, with ## on all but the first."""
    words = ("able", "a", "hugs", "unwanted", "unwantedable", "unable", "player", "playeding")
    for word in (*words, "unwanted"):
        _same(candidate, reference, word, dict(VOCAB))


@check("wordpiece_tokenize", weight=2, essential=True)
def test_pieces_unknown(candidate: Candidate, reference: Reference) -> None:
    """A word that cannot be cut to its end is one unknown token, and nothing else."""
    for word in ("unwantedX", "Xunwanted", "X", "unXXed", "ing", "abcde", "abun"):
        _same(candidate, reference, word, dict(VOCAB))


@check("wordpiece_tokenize")
def test_pieces_no_way_back(candidate: Candidate, reference: Reference) -> None:
    """The longest piece is taken even where a shorter one would have led on."""
    _same(candidate, reference, "abcd", dict(VOCAB))
    # Here the longest piece leads nowhere, and a shorter one would have led to the end.
    dead_end = {"[UNK]": 0, "ab": 1, "abc": 2, "##cd": 3, "x": 4, "##ab": 5, "##abc": 6}
    for word in ("abcd", "xabcd"):
        _same(candidate, reference, word, dict(dead_end))


@check("wordpiece_tokenize")
def test_pieces_zero(candidate: Candidate, reference: Reference) -> None:
    """A piece is known whatever its id is, 0 too."""
    for word, first in (("hugs", "hug"), ("hugs", "##s"), ("hug", "hug")):
        pieces = dict.fromkeys([first, "hug", "##s", "hu", "[UNK]"])
        _same(candidate, reference, word, {piece: index for index, piece in enumerate(pieces)})


@check("wordpiece_tokenize")
def test_pieces_as_they_are(candidate: Candidate, reference: Reference) -> None:
    """The word is taken as it is: a capital letter is not the small one."""
    for word in ("Able", "ABLE", "é"):
        _same(candidate, reference, word, dict(VOCAB))


@check("wordpiece_tokenize", weight=2)
def test_pieces_signs(candidate: Candidate, reference: Reference) -> None:
    """Signs are characters like all others: #, . and [MASK] in the vocabulary, as in BERT's own."""
    # First what comes to an end also where "##" is glued onto the text that is left.
    _same(candidate, reference, "ax", {"[UNK]": 100, "a": 1037, "#": 1001, "###x": 29614})
    for word in ("#", "a#", "a##", "a#x", "x", "ax", ".", "a.", "(", "$", "[MASK]", "##"):
        _same(candidate, reference, word, dict(SIGNS))


@check("wordpiece_tokenize")
def test_pieces_options(candidate: Candidate, reference: Reference) -> None:
    """unk_token and max_chars mean what they say; 100 characters are allowed, 101 are not."""
    for word in ("a" * 100, "a" * 101, "é" * 60):
        _same(candidate, reference, word, dict(VOCAB))
    _same(candidate, reference, "unwantedX", dict(VOCAB), "<unknown>")
    _same(candidate, reference, "unwanted", dict(VOCAB), "[UNK]", 7)
    _same(candidate, reference, "unwanted", dict(VOCAB), "[UNK]", 8)
    whole = "toolong"
    _same(candidate, reference, whole, {**VOCAB, whole: len(VOCAB)}, "[UNK]", len(whole) - 1)


TEXT = "time flies like an arrow , like a banana"


@check("encode", weight=3, essential=True)
def test_encode(candidate: Candidate, reference: Reference) -> None:
    """A text, and a pair of texts, get their special tokens, types and mask."""
    cases = (
        ("Time flies.", None),
        ("time flies", "Fruit flies like abs bananas."),
        ("arrows like time", "zebra"),
        ("Time flies.", None),
    )
    for first, second in cases:
        _same(candidate, reference, first, second, dict(ENCODE_VOCAB))


@check("encode")
def test_encode_truncated(candidate: Candidate, reference: Reference) -> None:
    """A long text is cut at its end, and [CLS] and [SEP] stay."""
    for max_length in (6, 11, 10, 3):
        _same(candidate, reference, TEXT, None, dict(ENCODE_VOCAB), max_length)
    _same(candidate, reference, "time " * 520, None, dict(ENCODE_VOCAB))  # 512, as the stub has it
    _same(candidate, reference, "time", "flies " * 520, dict(ENCODE_VOCAB))


@check("encode", weight=2)
def test_encode_pairs_truncated(candidate: Candidate, reference: Reference) -> None:
    """Of a pair, the longer text is cut first, whichever it is."""
    short = "fruit flies ."
    cases = (
        (TEXT, short, 10),
        (short, TEXT, 9),
        (TEXT, TEXT, 11),
        (TEXT, short, 14),
        (TEXT, short, 8),
        (short, TEXT, 13),  # the longer one keeps more than half
        ("a", TEXT, 9),
        (TEXT, TEXT, 12),  # an odd one out, both equally long
        ("time arrows", "bananas flies like fruit", 9),  # more letters are not more pieces
    )
    for first, second, max_length in cases:
        _same(candidate, reference, first, second, dict(ENCODE_VOCAB), max_length)


@check("encode")
def test_encode_whole(candidate: Candidate, reference: Reference) -> None:
    """What just fits is not cut, and empty texts have no pieces."""
    _same(candidate, reference, "time flies", "", dict(ENCODE_VOCAB))
    _same(candidate, reference, TEXT, "fruit", dict(ENCODE_VOCAB), 13)
    _same(candidate, reference, "", None, dict(ENCODE_VOCAB))
    _same(candidate, reference, "time [MASK] like", None, dict(ENCODE_VOCAB))
    _same(candidate, reference, TEXT, None, dict(ENCODE_VOCAB), 2)
    _same(candidate, reference, TEXT, "fruit", dict(ENCODE_VOCAB), 3)
    _same(candidate, reference, "time flies", None, dict(ENCODE_VOCAB), 4)


@check("pad_batch", weight=3, essential=True)
def test_pad(candidate: Candidate, reference: Reference) -> None:
    """Lists are padded on the right to the longest, and the mask says which ids are real."""
    cases: tuple[tuple[list[list[int]], int], ...] = (
        ([[5, 6, 7], [8]], 0),
        ([[5], [8, 9, 10, 11], [12, 13]], 3),
        ([[7, 2], [4, 4, 4, 4, 4]], 99),
        ([[5, 6, 7], [8]], 0),
    )
    for sequences, pad_id in cases:
        _padded(candidate, reference, sequences, pad_id)


@check("pad_batch", weight=2)
def test_pad_real(candidate: Candidate, reference: Reference) -> None:
    """A real token that has the padding's id is still real."""
    _padded(candidate, reference, [[4, 0, 6], [0, 8], [9, 3, 0, 2, 0]], 0)


@check("pad_batch")
def test_pad_nothing(candidate: Candidate, reference: Reference) -> None:
    """A single list, and lists of one length, need no padding; an empty list is padding alone."""
    _padded(candidate, reference, [[4, 5, 6]], 7)
    _padded(candidate, reference, [[1, 2], [3, 4], [5, 6]], 7)
    _padded(candidate, reference, [[30521]], 100)
    _padded(candidate, reference, [[101, 102], [], [101, 2003, 102]], 1)


@check("pad_batch")
def test_pad_long(candidate: Candidate, reference: Reference) -> None:
    """However long a list is, nothing of it is cut."""
    _padded(candidate, reference, [[3] * 700, [4, 5]], 0, "a list of 700 ids beside one of 2")


@check("pad_batch", harness=KEEP_LISTS)
def test_pad_stays(candidate: Candidate) -> None:
    """The lists stay as they are."""
    given = [[5, 6, 7], [8], [9, 10]]
    got = candidate.through("grader_pad_batch", [list(ids) for ids in given], 0)
    if got != given:
        values = shown(got, 200), known(repr(given))
        raise wrong("After the call the lists are {}; before it they were {}.", *values)


def _padded(
    candidate: Candidate,
    reference: Reference,
    sequences: list[list[int]],
    pad_id: int,
    what: str = "",
) -> None:
    got = candidate([list(ids) for ids in sequences], pad_id)
    if type(got) is not tuple:
        raise wrong("It returns {}; a tuple was expected.", kind_of(got))
    if len(got) != 2:
        raise wrong("It returns {}; input_ids and attention_mask were expected.", kind_of(got))
    expected: tuple[Tensor, Tensor] = reference(sequences, pad_id)
    case = f"For {what or sequences} and pad_id {pad_id}, "
    agree(got[0], expected[0], what=case + "input_ids")
    agree(got[1], expected[1], what=case + "attention_mask")
