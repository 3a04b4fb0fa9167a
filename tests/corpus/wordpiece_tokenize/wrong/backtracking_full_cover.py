# wrong: backtracking search for any full cover, longest first
# named: backtracks
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    def cover(i):
        if i == len(word):
            return []
        for j in range(len(word), i, -1):
            p = word[i:j] if i == 0 else "##" + word[i:j]
            if p in vocab:
                rest = cover(j)
                if rest is not None:
                    return [p] + rest
        return None
    return cover(0) or [unk_token]
