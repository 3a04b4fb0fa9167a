# wrong: most pieces wins (dynamic programming)
from functools import lru_cache
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    best = {0: []}
    for j in range(1, len(word) + 1):
        for i in range(j):
            p = word[i:j] if i == 0 else "##" + word[i:j]
            if i in best and p in vocab and (j not in best or len(best[i]) + 1 > len(best[j])):
                best[j] = best[i] + [p]
    return best.get(len(word)) or [unk_token]
