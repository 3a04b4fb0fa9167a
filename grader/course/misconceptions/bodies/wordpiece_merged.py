def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    """As BPE does: neighbours are merged, first the pair that stands first in the vocabulary."""
    if len(word) > max_chars:
        return [unk_token]
    pieces = [("##" if index else "") + char for index, char in enumerate(word)]
    while True:
        pairs = [one + other[2:] for one, other in zip(pieces, pieces[1:])]
        known = [pair for pair in pairs if pair in vocab]
        if not known:
            return pieces if all(piece in vocab for piece in pieces) else [unk_token]
        place = pairs.index(min(known, key=vocab.get))
        pieces[place : place + 2] = [pairs[place]]
