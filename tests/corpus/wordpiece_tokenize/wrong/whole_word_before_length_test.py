# wrong: short-circuit: whole word in vocab returned before the length test
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if word in vocab:
        return [word]
    if len(word) > max_chars:
        return [unk_token]
    out, s = [], 0
    while s < len(word):
        e = next((e for e in range(len(word), s, -1) if (s and "##" or "") + word[s:e] in vocab), None)
        if e is None: return [unk_token]
        out.append((s and "##" or "") + word[s:e]); s = e
    return out
