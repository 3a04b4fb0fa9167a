# wrong: vocab.get(piece, 0) > 0
# named: zero_is_none
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    out = []
    begin = 0
    while begin < len(word):
        finish = len(word)
        while finish > begin:
            piece = word[begin:finish]
            if begin > 0:
                piece = "##" + piece
            if vocab.get(piece, 0) > 0:
                break
            finish -= 1
        if finish == begin:
            return [unk_token]
        out.append(piece)
        begin = finish
    return out
