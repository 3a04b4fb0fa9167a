# wrong: an empty unk_token is taken for none, and "[UNK]" comes back
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    unk_token = unk_token or "[UNK]"
    if len(word) > max_chars:
        return [unk_token]
    pieces = []
    start = 0
    while start < len(word):
        prefix = "##" if start else ""
        end = next((end for end in range(len(word), start, -1) if prefix + word[start:end] in vocab), None)
        if end is None:
            return [unk_token]
        pieces.append(prefix + word[start:end])
        start = end
    return pieces
