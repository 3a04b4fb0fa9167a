# wrong: all unknown words get one and the same list
UNKNOWN = ["[UNK]"]
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    unknown = UNKNOWN if unk_token == "[UNK]" else [unk_token]
    if len(word) > max_chars:
        return unknown
    pieces, start = [], 0
    while start < len(word):
        end = next((e for e in range(len(word), start, -1) if ("##" if start else "") + word[start:e] in vocab), None)
        if end is None:
            return unknown
        pieces.append(("##" if start else "") + word[start:end])
        start = end
    return pieces
