# right: vocab.get with -1 for what is not there
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    pieces, rest = [], word
    while rest:
        mark = "##" if pieces else ""
        for length in range(len(rest), 0, -1):
            if vocab.get(mark + rest[:length], -1) >= 0:
                break
        else:
            return [unk_token]
        pieces.append(mark + rest[:length])
        rest = rest[length:]
    return pieces
