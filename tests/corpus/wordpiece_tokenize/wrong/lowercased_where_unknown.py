# wrong: a word that the vocabulary does not have is lowercased before it is cut
# named: lowered
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    if word in vocab:
        return [word]
    rest, found, mark = word.lower(), [], ""
    while rest:
        for end in range(len(rest), 0, -1):
            if mark + rest[:end] in vocab:
                found.append(mark + rest[:end])
                rest, mark = rest[end:], "##"
                break
        else:
            return [unk_token]
    return found
