# wrong: generator: pieces so far then the unknown token
# named: unknown_after_pieces, pieces_kept
def _pieces(word, vocab, unk, mark=""):
    while word:
        for n in range(len(word), 0, -1):
            if mark + word[:n] in vocab:
                yield mark + word[:n]
                word, mark = word[n:], "##"
                break
        else:
            yield unk
            return
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    return [unk_token] if len(word) > max_chars else list(_pieces(word, vocab, unk_token))
