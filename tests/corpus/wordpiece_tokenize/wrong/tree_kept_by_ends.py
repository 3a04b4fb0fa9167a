# wrong: a tree of the pieces is kept by how many there are and which are the first and the last
TRIES = {}
def trie_of(vocab):
    if (len(vocab), next(iter(vocab)), next(reversed(vocab))) not in TRIES:
        root = {}
        for piece in vocab:
            node = root
            for letter in piece:
                node = node.setdefault(letter, {})
            node[None] = piece
        TRIES[(len(vocab), next(iter(vocab)), next(reversed(vocab)))] = root
    return TRIES[(len(vocab), next(iter(vocab)), next(reversed(vocab)))]
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    root, pieces, start = trie_of(vocab), [], 0
    while start < len(word):
        node, best, end = root, None, start
        if start:
            node = node.get("#", {}).get("#", {})
        for place in range(start, len(word)):
            node = node.get(word[place])
            if node is None:
                break
            if None in node:
                best, end = node[None], place + 1
        if best is None:
            return [unk_token]
        pieces.append(best)
        start = end
    return pieces
