# wrong: the truth of vocab.get: a piece with id 0 is none
# named: zero_is_none
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    tokens = []
    start = 0
    while start < len(word):
        end = len(word)
        found = None
        while end > start:
            sub = word[start:end] if start == 0 else "##" + word[start:end]
            if vocab.get(sub):
                found = sub
                break
            end -= 1
        if not found:
            return [unk_token]
        tokens.append(found)
        start = end
    return tokens
