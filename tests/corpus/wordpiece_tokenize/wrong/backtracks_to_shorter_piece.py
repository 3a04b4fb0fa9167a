# wrong: backtracks to a shorter piece when the rest fails
# named: backtracks
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    def rest(text, mark):
        if not text:
            return []
        for n in range(len(text), 0, -1):
            if mark + text[:n] in vocab:
                tail = rest(text[n:], "##")
                if tail is not None:
                    return [mark + text[:n], *tail]
        return None
    return (rest(word, "") if len(word) <= max_chars else None) or [unk_token]
