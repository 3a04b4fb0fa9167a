# wrong: pieces are matched as regular expressions
import re
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    out, start = [], 0
    while start < len(word):
        best = None
        for piece in vocab:
            if start and not piece.startswith("##"):
                continue
            if not start and piece.startswith("##"):
                continue
            body = piece[2:] if start else piece
            if body and re.match(body, word[start:]) and (best is None or len(body) > len(best)):
                best = body
        if best is None:
            return [unk_token]
        out.append(("##" if start else "") + best)
        start += len(best)
    return out
