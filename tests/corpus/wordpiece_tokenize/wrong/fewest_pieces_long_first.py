# wrong: the fewest pieces, longer ones in front (memoised recursion)
# named: fewest
from functools import lru_cache


def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    """The cut with the fewest pieces."""
    if len(word) > max_chars:
        return [unk_token]

    @lru_cache(None)
    def best(start):
        if start == len(word):
            return ()
        found = None
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece not in vocab:
                continue
            rest = best(end)
            if rest is not None and (found is None or len(rest) + 1 < len(found)):
                found = (piece, *rest)
        return found

    cut = best(0)
    return [unk_token] if cut is None else list(cut)
