# right: looks for the end of the longest piece by recursion, a call for each character
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    def longest(start, end):
        """The end of the longest piece that begins at start and ends at end or behind it."""
        if end > len(word):
            return 0
        further = longest(start, end + 1)
        if further:
            return further
        return end if ("##" if start else "") + word[start:end] in vocab else 0
    pieces, start = [], 0
    while start < len(word):
        end = longest(start, start + 1)
        if not end:
            return [unk_token]
        pieces.append(("##" if start else "") + word[start:end])
        start = end
    return pieces
