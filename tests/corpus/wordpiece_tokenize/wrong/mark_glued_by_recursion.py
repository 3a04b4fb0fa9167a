# wrong: ## is glued onto what is left, and the rest is cut by recursion
# named: glued
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]

    def cut(rest):
        for size in range(len(rest), 0, -1):
            head, tail = rest[:size], rest[size:]
            if head in vocab:
                if not tail:
                    return [head]
                more = cut("##" + tail)
                return None if more is None else [head, *more]
        return None

    return cut(word) or [unk_token]
