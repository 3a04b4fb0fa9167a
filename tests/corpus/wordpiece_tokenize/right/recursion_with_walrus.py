# right: recursion with a helper, walrus
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    def rest(text, mark):
        if not text:
            return []
        for n in range(len(text), 0, -1):
            if (piece := mark + text[:n]) in vocab:
                tail = rest(text[n:], "##")
                return None if tail is None else [piece, *tail]
        return None
    pieces = rest(word, "") if len(word) <= max_chars else None
    return [unk_token] if pieces is None else pieces
