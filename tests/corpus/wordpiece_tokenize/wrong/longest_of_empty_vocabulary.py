# wrong: asks an empty vocabulary for its longest piece
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    longest = max(len(piece) for piece in vocab)         # no need to look further
    pieces, start = [], 0
    while start < len(word):
        for end in range(min(len(word), start + longest), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                break
        else:
            return [unk_token]
        pieces.append(piece)
        start = end
    return pieces
