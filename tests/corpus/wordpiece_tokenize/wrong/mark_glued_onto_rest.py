# wrong: ## is glued onto the text that is left: endless with # in the vocabulary
# named: glued
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    found = []
    while len(word) > 0:
        length = len(word)
        while length > 0 and word[:length] not in vocab:
            length -= 1
        if length == 0:
            return [unk_token]
        found.append(word[:length])
        word = word[length:]
        if word:
            word = f"##{word}"
    return found
