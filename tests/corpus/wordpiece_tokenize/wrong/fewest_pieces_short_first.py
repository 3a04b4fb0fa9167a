# wrong: the fewest pieces, breadth first, so shorter ones in front
# named: fewest_short_first
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    # breadth first: all cuts of one piece, then all of two …
    layer = [(0, [])]
    while layer:
        following = []
        for start, pieces in layer:
            if start == len(word):
                return pieces
            for end in range(start + 1, len(word) + 1):
                piece = ("##" if start else "") + word[start:end]
                if piece in vocab:
                    following.append((end, pieces + [piece]))
        seen, layer = set(), []
        for end, pieces in following:
            if end not in seen:
                seen.add(end)
                layer.append((end, pieces))
    return [unk_token]
