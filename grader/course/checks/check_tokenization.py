"""Hidden checks of chapter 01's functions: words, pieces, ids, padded batches.

All that they try is drawn by the seed, and what they tell is an example that decides nothing.
"""

import unicodedata
from functools import partial
from typing import Any

from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import Message, known, say
from ...marking.check import Reference, check
from ...marking.expect import Mismatch, agree, wrong
from ...marking.facts import kind_of, shown
from ...wall.transport import WorkerDied
from . import drawn_lists, drawn_pieces, drawn_texts
from .drawn import Case, agree_in_parts, called, shown_argument, tried

KEEP_LISTS = """
def grader_pad_batch(sequences, pad_id):
    pad_batch(sequences, pad_id)
    return sequences
"""


def _same(candidate: Candidate, reference: Reference, *args: Any) -> None:
    """Compare the answers; what is told of them can be tried again."""
    what = called(args)
    expected = reference(*args)
    try:
        got = candidate(*args)
    except WorkerDied as died:
        case = f" ({what[0].lower()}{what[1:]})"
        raise WorkerDied(died.kind, died.words, died.at, how=died.how, case=case) from None
    try:
        agree(got, expected, what=what)
    except Mismatch as wrong:
        raise wrong.and_also(_look_alike(got, expected)) from None


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
def test_words(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Text is split on white space and punctuation, and small letters are left."""
    _words(candidate, reference, drawn_texts.plain, generator)


@check("split_words")
def test_words_accents(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """What is of category Mn is dropped, and nothing else; each letter is lowercased by itself."""
    _words(candidate, reference, drawn_texts.accents, generator)


@check("split_words")
def test_words_punctuation(
    candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Every sign is a word of its own: in the middle of words, in a row, typographic, and $ + ^."""
    _words(candidate, reference, drawn_texts.signs, generator)


@check("split_words")
def test_words_chinese(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Every Chinese character is a word of its own, rare ones too, but no kana and no Hangul."""
    _words(candidate, reference, drawn_texts.chinese, generator)


@check("split_words")
def test_words_special(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Special tokens written in the text stay whole, wherever they stand; [mask] is none."""
    _words(candidate, reference, drawn_texts.special, generator)


@check("split_words")
def test_words_clean(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Invisible characters go, white space separates, long texts end, empty ones have no words."""
    _words(candidate, reference, drawn_texts.clean, generator)


def _texts(draw: Any, random: Any) -> list[Case]:
    return [(text,) for text in draw(random)]


def _words(candidate: Candidate, reference: Reference, draw: Any, generator: Generator) -> None:
    tried(candidate, reference, partial(_texts, draw), _same, generator)


@check("wordpiece_tokenize", weight=3, essential=True)
def test_pieces(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Always the longest piece that fits next, with ## on all but the first."""
    tried(candidate, reference, drawn_pieces.longest, _same, generator)


@check("wordpiece_tokenize", weight=2, essential=True)
def test_pieces_unknown(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A word that cannot be cut to its end is one unknown token, and nothing else."""
    tried(candidate, reference, drawn_pieces.unknown, _same, generator)


@check("wordpiece_tokenize")
def test_pieces_no_way_back(
    candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """The longest piece is taken even where a shorter one would have led on."""
    tried(candidate, reference, drawn_pieces.no_way_back, _same, generator)


@check("wordpiece_tokenize")
def test_pieces_zero(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A piece is known whatever its id is, 0 too."""
    tried(candidate, reference, drawn_pieces.zero, _same, generator)


@check("wordpiece_tokenize")
def test_pieces_as_they_are(
    candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """The word is taken as it is: a capital letter is not the small one."""
    tried(candidate, reference, drawn_pieces.as_they_are, _same, generator)


@check("wordpiece_tokenize", weight=2)
def test_pieces_signs(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Signs are characters like all others: #, . and [MASK] in the vocabulary, as in BERT's own."""
    tried(candidate, reference, drawn_pieces.signs, _same, generator)


@check("wordpiece_tokenize")
def test_pieces_options(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """unk_token and max_chars mean what they say; 100 characters are allowed, 101 are not."""
    tried(candidate, reference, drawn_pieces.options, _same, generator)


@check("encode", weight=3, essential=True)
def test_encode(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A text, and a pair of texts, get their special tokens, types and mask."""
    tried(candidate, reference, drawn_pieces.texts, _same, generator)


@check("encode")
def test_encode_words(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Texts are split as split_words does it, and words cut as wordpiece_tokenize does."""
    tried(candidate, reference, drawn_pieces.split_and_cut, _same, generator)


@check("encode")
def test_encode_truncated(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A long text is cut at its end, and [CLS] and [SEP] stay."""
    tried(candidate, reference, drawn_pieces.truncated, _same, generator)


@check("encode", weight=2)
def test_encode_pairs_truncated(
    candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Of a pair, the longer text is cut first, whichever it is."""
    tried(candidate, reference, drawn_pieces.pairs_truncated, _same, generator)


@check("encode")
def test_encode_whole(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """What just fits is not cut, and empty texts have no pieces."""
    tried(candidate, reference, drawn_pieces.kept, _same, generator)


@check("pad_batch", weight=3, essential=True)
def test_pad(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Lists are padded on the right to the longest, and the mask says which ids are real."""
    tried(candidate, reference, drawn_lists.batches, _padded, generator)


@check("pad_batch", weight=2)
def test_pad_real(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A real token that has the padding's id is still real."""
    tried(candidate, reference, drawn_lists.with_pad_id, _padded, generator)


@check("pad_batch")
def test_pad_nothing(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A single list, and lists of one length, need no padding; an empty list is padding alone."""
    tried(candidate, reference, drawn_lists.without_padding, _padded, generator)


@check("pad_batch")
def test_pad_long(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """However long a list is, however many there are and however large an id: nothing is lost."""
    tried(candidate, reference, drawn_lists.long_lists, _padded, generator)


@check("pad_batch", harness=KEEP_LISTS)
def test_pad_stays(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """The lists stay as they are."""

    def one(
        candidate: Candidate, reference: Reference, given: list[list[int]], pad_id: int
    ) -> None:
        got = candidate.through("grader_pad_batch", given, pad_id)
        if got != given:
            values = shown(got, 200), known(repr(given))
            raise wrong("After the call the lists are {}; before it they were {}.", *values)

    tried(candidate, reference, drawn_lists.batches, one, generator)


def _padded(
    candidate: Candidate, reference: Reference, sequences: list[list[int]], pad_id: int
) -> None:
    got = candidate([list(ids) for ids in sequences], pad_id)
    if type(got) is not tuple or len(got) != 2:
        raise wrong("It returns {}; a tuple of two was expected.", kind_of(got))
    expected: tuple[Tensor, Tensor] = reference(sequences, pad_id)
    case = f"For {shown_argument(sequences, '')} and pad_id {pad_id}"
    agree_in_parts(got, expected, case)
