# wrong: every # is stripped from a piece to know its length
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    out, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start:
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocab:
                break
            end -= 1
        else:
            return [unk_token]
        out.append(piece)
        start += len(piece.lstrip("#"))
        if not piece.lstrip("#"):
            start += 1
    return out
