from functools import cache


def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    """The fewest pieces that reach the end; of equally many, those with shorter pieces in front."""

    @cache
    def cut(start):
        if start == len(word):
            return []
        found = []
        for end in range(start + 1, len(word) + 1):
            piece = ("##" if start else "") + word[start:end]
            rest = cut(end) if piece in vocab else None
            if rest is not None:
                found.append([piece, *rest])
        return min(found, key=len, default=None)

    pieces = None if len(word) > max_chars else cut(0)
    return [unk_token] if pieces is None else pieces
