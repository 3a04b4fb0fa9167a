from functools import cache


def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    """A cut that reaches the end wherever there is one: longer pieces are tried first."""

    @cache
    def cut(start):
        if start == len(word):
            return []
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            rest = cut(end) if piece in vocab else None
            if rest is not None:
                return [piece, *rest]
        return None

    pieces = None if len(word) > max_chars else cut(0)
    return [unk_token] if pieces is None else pieces
