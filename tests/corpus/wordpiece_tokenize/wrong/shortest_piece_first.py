# wrong: shortest piece first
# named: shortest
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    out, i = [], 0
    while i < len(word):
        for j in range(i + 1, len(word) + 1):
            piece = ("##" if i else "") + word[i:j]
            if piece in vocab:
                out.append(piece)
                i = j
                break
        else:
            return [unk_token]
    return out
