# wrong: too long words are truncated to max_chars rather than unknown
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    word = word[:max_chars]
    out = []
    while word:
        head = next((word[:n] for n in range(len(word), 0, -1) if ("##" * bool(out)) + word[:n] in vocab), None)
        if head is None:
            return [unk_token]
        out.append("##" * bool(out) + head)
        word = word[len(head):]
    return out
