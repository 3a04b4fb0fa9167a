"""Hidden checks of chapter 01's functions: words, pieces, ids, padded batches.

All that they try is drawn by the seed, and what they tell is an example that decides nothing.
"""

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import Message, known, say
from ...marking.check import Check, Reference, check, put, row
from ...marking.expect import Mismatch, agree, wrong
from ...marking.facts import kind_of, shown
from ...wall.transport import WorkerDied
from . import drawn_lists as lists
from . import drawn_pieces as pieces
from . import drawn_texts as texts
from .drawn import Draw, agree_in_parts, called, shown_argument, tried

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


def _padded(
    candidate: Candidate, reference: Reference, sequences: list[list[int]], pad_id: int
) -> None:
    got = candidate([list(ids) for ids in sequences], pad_id)
    if type(got) is not tuple or len(got) != 2:
        raise wrong("It returns {}; a tuple of two was expected.", kind_of(got))
    expected: tuple[Tensor, Tensor] = reference(sequences, pad_id)
    case = f"For {shown_argument(sequences, '')} and pad_id {pad_id}"
    agree_in_parts(got, expected, case)


# A row for each check that tries what is drawn: the exercise, the check's name, what draws, its
# weight, whether it is essential, and the title that learners read.
ROWS: tuple[tuple[str, str, Draw, int, bool, str], ...] = (
    ("split_words", "test_words", texts.plain, 3, True,
     "Text is split on white space and punctuation, and small letters are left."),
    ("split_words", "test_words_accents", texts.accents, 1, False,
     "What is of category Mn is dropped, and nothing else; each letter is lowercased by itself."),
    ("split_words", "test_words_punctuation", texts.signs, 1, False,
     "Every sign is a word of its own: in the middle of words, in a row, typographic, and $ + ^."),
    ("split_words", "test_words_chinese", texts.chinese, 1, False,
     "Every Chinese character is a word of its own, rare ones too, but no kana and no Hangul."),
    ("split_words", "test_words_special", texts.special, 1, False,
     "Special tokens written in the text stay whole, wherever they stand; [mask] is none."),
    ("split_words", "test_words_clean", texts.clean, 1, False,
     "Invisible characters go, white space separates, long texts end, empty ones have no words."),
    ("wordpiece_tokenize", "test_pieces", pieces.longest, 3, True,
     "Always the longest piece that fits next, with ## on all but the first."),
    ("wordpiece_tokenize", "test_pieces_unknown", pieces.unknown, 2, True,
     "A word that cannot be cut to its end is one unknown token, and nothing else."),
    ("wordpiece_tokenize", "test_pieces_no_way_back", pieces.no_way_back, 1, False,
     "The longest piece is taken even where a shorter one would have led on."),
    ("wordpiece_tokenize", "test_pieces_zero", pieces.zero, 1, False,
     "A piece is known whatever its id is, 0 too."),
    ("wordpiece_tokenize", "test_pieces_as_they_are", pieces.as_they_are, 1, False,
     "The word is taken as it is: a capital letter is not the small one."),
    ("wordpiece_tokenize", "test_pieces_signs", pieces.signs, 2, False,
     "Signs are characters like all others: #, . and [MASK] in the vocabulary, as in BERT's own."),
    ("wordpiece_tokenize", "test_pieces_options", pieces.options, 1, False,
     "unk_token and max_chars mean what they say; 100 characters are allowed, 101 are not."),
    ("encode", "test_encode", pieces.texts, 3, True,
     "A text, and a pair of texts, get their special tokens, types and mask."),
    ("encode", "test_encode_words", pieces.split_and_cut, 1, False,
     "Texts are split as split_words does it, and words cut as wordpiece_tokenize does."),
    ("encode", "test_encode_truncated", pieces.truncated, 1, False,
     "A long text is cut at its end, and [CLS] and [SEP] stay."),
    ("encode", "test_encode_pairs_truncated", pieces.pairs_truncated, 2, False,
     "Of a pair, the longer text is cut first, whichever it is."),
    ("encode", "test_encode_whole", pieces.kept, 1, False,
     "What just fits is not cut, and empty texts have no pieces."),
    ("pad_batch", "test_pad", lists.batches, 3, True,
     "Lists are padded on the right to the longest, and the mask says which ids are real."),
    ("pad_batch", "test_pad_real", lists.with_pad_id, 2, False,
     "A real token that has the padding's id is still real."),
    ("pad_batch", "test_pad_nothing", lists.without_padding, 1, False,
     "A single list, and lists of one length, need no padding; an empty list is padding alone."),
    ("pad_batch", "test_pad_long", lists.long_lists, 1, False,
     "However long a list is, however many there are and however large an id: nothing is lost."),
)  # fmt: skip


def _checks() -> Iterator[tuple[str, Check]]:
    for exercise, name, draw, weight, is_essential, title in ROWS:
        test = _tries(draw, _padded if exercise == "pad_batch" else _same)
        yield name, row(exercise, title, test, weight=weight, essential=is_essential)


def _tries(draw: Draw, one: Callable[..., None]) -> Check:
    def test(candidate: Candidate, reference: Reference, generator: Generator) -> None:
        tried(candidate, reference, draw, one, generator)

    return test


put(globals(), _checks())


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

    tried(candidate, reference, lists.batches, one, generator)
