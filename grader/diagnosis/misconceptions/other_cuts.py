"""Other ways to cut a word into known pieces, taken for WordPiece's; knows no exercise."""

import itertools

_ENDLESS = 1000  # characters that are left of a word


def merged(word: str, vocab: dict[str, int], unk_token: str) -> list[str]:
    """As BPE does: neighbours are merged, first the pair that stands first in the vocabulary."""
    pieces = [("##" if index else "") + char for index, char in enumerate(word)]
    while True:
        pairs = [one + other[2:] for one, other in itertools.pairwise(pieces)]
        known = [pair for pair in pairs if pair in vocab]
        if not known:
            return pieces if all(piece in vocab for piece in pieces) else [unk_token]
        place = pairs.index(min(known, key=lambda pair: vocab[pair]))
        pieces[place : place + 2] = [pairs[place]]


def covering(
    word: str, vocab: dict[str, int], unk_token: str, fewest: bool, short_first: bool = False
) -> list[str]:
    """A cut that reaches the end wherever there is one: the first that is found, or the shortest.

    Longer pieces are tried first, or shorter ones; an earlier piece counts before a later one.
    """
    best: list[list[str] | None] = [*[None] * len(word), []]
    for start in reversed(range(len(word))):
        ends = range(start + 1, len(word) + 1)
        for end in ends if short_first else reversed(ends):
            piece, rest, known = ("##" if start else "") + word[start:end], best[end], best[start]
            if piece not in vocab or rest is None:
                continue
            if known is None or (fewest and len(rest) + 1 < len(known)):
                best[start] = [piece, *rest]
    whole = best[0]
    return [unk_token] if whole is None else whole


def from_the_end(word: str, vocab: dict[str, int], unk_token: str) -> list[str]:
    """From the right: always the longest piece that ends what is left."""
    pieces: list[str] = []
    end = len(word)
    while end:
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                break
        else:
            return [unk_token]
        pieces.insert(0, piece)
        end = start
    return pieces


def glued(word: str, vocab: dict[str, int], unk_token: str) -> list[str]:
    """The longest piece that begins the text, which gets "##" in front of what is left of it."""
    pieces: list[str] = []
    while word:
        end = next((end for end in range(len(word), 0, -1) if word[:end] in vocab), None)
        if end is None:
            return [unk_token]
        pieces.append(word[:end])
        word = "##" + word[end:] if word[end:] else ""
        if len(word) > _ENDLESS:
            raise RuntimeError("it grows for ever")
    return pieces
