"""Chapter 01: from text to padded batches of ids with BERT's uncased rules; no vectors yet."""

import re
import unicodedata
from collections.abc import Callable

import torch
from torch import Tensor

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SPECIAL_PATTERN = re.compile("(" + "|".join(map(re.escape, SPECIAL_TOKENS)) + ")")
CJK_RANGES = (  # code points of Chinese characters, as transformers has them
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF)),
    *((0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F)),
)


def is_control(char: str) -> bool:
    """Does cleaning drop this: control, format, private use, U+FFFD, but not tab and line ends?"""
    if char in "\t\n\r":
        return False
    return char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs")


def is_punctuation(char: str) -> bool:
    """Is this punctuation to BERT: all of Unicode's, and every ASCII sign, such as $ + ^ too?"""
    ascii_sign = "!" <= char <= "~" and not char.isalnum()
    return ascii_sign or unicodedata.category(char).startswith("P")


def is_cjk(char: str) -> bool:
    """Is this a Chinese character (not Hiragana, Katakana or Hangul)?"""
    return any(first <= ord(char) <= last for first, last in CJK_RANGES)


def split_words(text: str) -> list[str]:
    """Clean a text and split it into words, as BERT's uncased basic tokenizer does.

    First, special tokens written in the text, such as [MASK], are cut out: they stay whole and as
    they are, even in the middle of a word. [mask], in lowercase, is not one of them. The text
    between them is then cleaned, in this order: drop control characters, as is_control knows them,
    and no others; take every Chinese character as a word of its own; decompose (Unicode NFD) and
    drop the accents (category Mn); lowercase every character by itself; split on white space; take
    every punctuation character as a word of its own. Categories are those of Python's unicodedata,
    which knows some characters that BERT's tables lack. No ready-made tokenizer is called.

    returns: a new list of the words in order; [] for a text without any

    Source: Devlin et al. 2019, "BERT"; transformers' BertTokenizer.
    """
    words: list[str] = []
    for part in SPECIAL_PATTERN.split(text):
        if part in SPECIAL_TOKENS:
            words.append(part)
            continue
        kept = "".join(char for char in part if not is_control(char))
        spaced = "".join(f" {char} " if is_cjk(char) else char for char in kept)
        decomposed = unicodedata.normalize("NFD", spaced)
        plain = (char.lower() for char in decomposed if unicodedata.category(char) != "Mn")
        words += "".join(f" {char} " if is_punctuation(char) else char for char in plain).split()
    return words


def wordpiece_tokenize(
    word: str, vocab: dict[str, int], unk_token: str = "[UNK]", max_chars: int = 100
) -> list[str]:
    """Cut one word into pieces that the vocabulary has: always the longest piece that fits next.

    Pieces after the first are looked up, and returned, with "##" in front. A piece that was taken
    is never given back: if no piece fits next, the whole word is unknown. A word of more than
    max_chars characters is unknown, too. The word is taken as it is; nothing is lowercased here.
    No ready-made tokenizer is called.

    word:    one word, such as split_words gives: not empty, and never like "##ly"
    vocab:   maps each piece to its id, or is empty; max_chars is 900 at most
    returns: a new list of the pieces in order, or of unk_token alone, be that a piece or not

    Source: Wu et al. 2016, "Google's neural machine translation system"; Devlin et al. 2019.
    """
    if len(word) > max_chars:
        return [unk_token]
    pieces: list[str] = []
    start = 0
    while start < len(word):
        prefix = "##" if start else ""
        ends = range(len(word), start, -1)  # the longest first
        end = next((end for end in ends if prefix + word[start:end] in vocab), None)
        if end is None:
            return [unk_token]
        pieces.append(prefix + word[start:end])
        start = end
    return pieces


def encode(
    first: str, second: str | None, vocab: dict[str, int], max_length: int = 512
) -> dict[str, list[int]]:
    """Turn a text, or a pair of texts, into what BERT takes.

    Texts are split as split_words does it, and words are cut as wordpiece_tokenize does. One text
    becomes [CLS] first [SEP], a pair [CLS] first [SEP] second [SEP]. Where that is longer than
    max_length, pieces are cut from the ends of the texts, never the [CLS] and [SEP] around them; a
    special token that is written in a text is a piece like any other. The longer text is cut first,
    until both are equally long; then both are cut, so that each keeps half of the room. If the room
    is an odd number, the text that was longer keeps one piece more; if both were equally long, the
    second does. No ready-made tokenizer is called.

    second:     None, or "", for a single text; " " is a second text without words
    vocab:      maps each piece to its id; has [UNK], [CLS] and [SEP], and any id may be 0; a
                special token that it lacks goes to wordpiece_tokenize whole
    max_length: counts the special tokens; at least 2, for a pair 3
    returns:    three new lists of the same length: input_ids; token_type_ids, 0 up to the [SEP]
                behind the first text, that one too, and 1 after it; attention_mask, all 1

    Source: Devlin et al. 2019, "BERT", figure 2; the cut is that of transformers' BertTokenizer.
    """

    def pieces_of(text: str) -> list[str]:
        return [piece for word in split_words(text) for piece in wordpiece_tokenize(word, vocab)]

    a, b = pieces_of(first), pieces_of(second or "")
    room = max_length - (3 if second else 2)
    if len(a) + len(b) > room:
        shorter = min(len(a), len(b), room // 2)
        keep_a, keep_b = (room - shorter, shorter) if len(a) > len(b) else (shorter, room - shorter)
        a, b = a[:keep_a], b[:keep_b]
    a = ["[CLS]", *a, "[SEP]"]
    b = [*b, "[SEP]"] if second else []
    return {
        "input_ids": [vocab[piece] for piece in a + b],
        "token_type_ids": [0] * len(a) + [1] * len(b),
        "attention_mask": [1] * len(a + b),
    }


def pad_batch(sequences: list[list[int]], pad_id: int) -> tuple[Tensor, Tensor]:
    """Pad lists of ids on the right, to the length of the longest, and say which ids are real.

    A real token may have the id pad_id as well: it is still real. The lists stay as they are.

    sequences: at least one list of ids, and at least one id in all
    pad_id:    a whole number of 32 bits
    returns:   two new tensors, input_ids and attention_mask, both [batch, seq], both long; the mask
               is 1 for a real token and 0 for padding
    """
    longest = max(len(ids) for ids in sequences)
    padded = [list(ids) + [pad_id] * (longest - len(ids)) for ids in sequences]
    real = [[1] * len(ids) + [0] * (longest - len(ids)) for ids in sequences]
    return torch.tensor(padded, dtype=torch.long), torch.tensor(real, dtype=torch.long)


def spot_tokenization(candidate: Callable[[str, dict[str, int]], list[str]]) -> bool:
    """Find the mistake: is this implementation of wordpiece_tokenize right?

    candidate(word, vocab) promises what wordpiece_tokenize promises with its defaults, "[UNK]" and
    100 characters of any script: the longest piece that fits next, be its id 0 or any other, none
    given back, the word taken as it is. Call it with words and vocabularies of your choice and
    judge the lists that come back. A candidate that raises an error is a wrong one. The lists that
    come back show all that is wrong.

    candidate: a word and a vocabulary → list of pieces
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    pieces = ["un", "[UNK]", "want", "##want", "##ed", "able", "##able", "a", "##a", "ab", "abc"]
    pieces += ["##cd", "hug", "hu", "##gs", "##s", "##ing", "a" * 60, "##" + "a" * 40, "é", "##é"]
    vocab = {piece: index for index, piece in enumerate(pieces)}
    words = ["able", "a", "hugs", "unwanted", "unwantedable", "unable", "abcd", "ing", "wanted"]
    words += ["unwantedX", "unhug", "Xunwanted", "unXXed", "X", "é" * 60, "Able"]
    words += ["a" * 100, "a" * 101]
    try:
        return all(
            candidate(word, dict(vocab)) == wordpiece_tokenize(word, vocab) for word in words
        )
    except Exception:
        return False
