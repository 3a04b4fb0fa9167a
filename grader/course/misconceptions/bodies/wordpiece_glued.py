def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    """The longest piece that begins the text, which gets "##" in front of what is left of it."""
    if len(word) > max_chars:
        return [unk_token]
    pieces = []
    while word:
        end = next((end for end in range(len(word), 0, -1) if word[:end] in vocab), None)
        if end is None:
            return [unk_token]
        pieces.append(word[:end])
        word = "##" + word[end:] if word[end:] else ""
        if len(word) > 1000:
            raise RuntimeError("it grows for ever")
    return pieces
