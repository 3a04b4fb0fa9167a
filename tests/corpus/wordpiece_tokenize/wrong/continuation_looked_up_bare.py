# wrong: continuation looked up bare in a sorted list with bisect
# named: unmarked, unmarked_result, either_form
from bisect import bisect_left
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    entries = sorted(vocab)
    def has(s):
        i = bisect_left(entries, s)
        return i < len(entries) and entries[i] == s
    out, lo = [], 0
    while lo < len(word):
        hi = len(word)
        while hi > lo and not has(word[lo:hi]):
            hi -= 1
        if hi == lo:
            return [unk_token]
        out.append(word[lo:hi])
        lo = hi
    return out
