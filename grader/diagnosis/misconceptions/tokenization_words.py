"""What is said of wrong turns in cutting words into pieces; texts without answers."""

from __future__ import annotations

from .function_subject import Misconception

_UNKNOWN = "What should come back for a word whose last letter no piece covers?"
_GREEDY = "Is a piece that was once taken ever given back, whatever follows it?"
_MARK = "Which pieces are looked up with ## in front, and which ones come back with it?"
WORDPIECE = (
    Misconception(
        "in_none",
        "Something is searched for inside None, which is no container and cannot be searched.",
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
        "glued",
        "## is glued onto the text that is left, and the search goes through both: where the "
        "vocabulary has a piece # (as BERT's has), the marks themselves are cut off as pieces, and "
        "a word with an unknown end never comes to one.",
        "Which characters of what you search through belong to the word, and which did you add?",
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
        "fewest",
        "Of all cuts, the one with the fewest pieces is taken: it may begin with a shorter piece, "
        "and it finds an end where WordPiece calls the word unknown.",
        _GREEDY,
    ),
    Misconception(
        "fewest_short_first",
        "Of all cuts, the one with the fewest pieces is taken, of equals that with the shorter "
        "piece in front: WordPiece looks no further than its next piece.",
        _GREEDY,
    ),
    Misconception(
        "backtracks",
        "Where the rest cannot be cut, a shorter piece is tried: words get pieces that WordPiece "
        "calls unknown.",
        _GREEDY,
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
    Misconception(
        "zero_is_none",
        "A piece whose id is 0 is passed over, as if the vocabulary did not have it.",
        "What is bool(0), and what has to be asked of the vocabulary about a piece?",
    ),
)
