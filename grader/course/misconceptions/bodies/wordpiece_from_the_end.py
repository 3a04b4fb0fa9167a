def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    """From the right: always the longest piece that ends what is left."""
    if len(word) > max_chars:
        return [unk_token]
    pieces = []
    end = len(word)
    while end:
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                break
        else:
            return [unk_token]
        pieces.insert(0, piece)
        end = start
    return pieces
