# wrong: a word with a piece that is called as unk_token is, is unknown
# named: unknown_by_name
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    pieces, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start:
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                break
            end -= 1
        if end == start:
            pieces.append(unk_token)
            break
        pieces.append(piece)
        start = end
    return [unk_token] if unk_token in pieces else pieces
