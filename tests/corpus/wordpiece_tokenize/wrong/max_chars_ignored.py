# wrong: HuggingFace course encode_word with max_chars ignored
# named: glued, no_limit, unknown_fixed
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    tokens = []
    while len(word) > 0:
        i = len(word)
        while i > 0 and word[:i] not in vocab:
            i -= 1
        if i == 0:
            return ["[UNK]"]
        tokens.append(word[:i])
        word = word[i:]
        if len(word) > 0:
            word = f"##{word}"
    return tokens
