# wrong: pieces are remembered by the word and the size of its vocabulary
# named: earlier_call_counts
_MEMO: dict[tuple, tuple[str, ...]] = {}


def _cut(word, vocab):
    pieces, start = [], 0
    while start < len(word):
        prefix = "##" if start else ""
        for end in range(len(word), start, -1):
            piece = prefix + word[start:end]
            if piece in vocab:
                pieces.append(piece)
                start = end
                break
        else:
            return None
    return tuple(pieces)


def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    # words follow Zipf's law: most calls are repeats
    key = (word, len(vocab), unk_token)
    if key not in _MEMO:
        _MEMO[key] = _cut(word, vocab) or (unk_token,)
    return list(_MEMO[key])
