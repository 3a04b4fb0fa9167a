# right: the mark is put in front of each try, and what is left stays without it
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    found, rest = [], word
    while rest:
        mark = "##" if found else ""
        sizes = [size for size in range(1, len(rest) + 1) if mark + rest[:size] in vocab]
        if not sizes:
            return [unk_token]
        found.append(mark + rest[: sizes[-1]])
        rest = rest[sizes[-1] :]
    return found
