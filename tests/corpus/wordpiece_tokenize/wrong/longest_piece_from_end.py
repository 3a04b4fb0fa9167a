# wrong: longest piece from the end, word shortened in place
# named: from_the_end
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    pieces = []
    while word:
        for cut in range(len(word)):
            piece = word[cut:] if cut == 0 else f"##{word[cut:]}"
            if piece in vocab:
                pieces.append(piece)
                word = word[:cut]
                break
        else:
            return [unk_token]
    return pieces[::-1]
