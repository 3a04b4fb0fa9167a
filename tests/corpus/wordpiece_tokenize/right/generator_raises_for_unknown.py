# right: generator with an exception for the unknown
class _Unknown(Exception):
    pass
def _pieces(word, vocab, mark=""):
    if not word:
        return
    for cut in reversed(range(1, len(word) + 1)):
        candidate = f"{mark}{word[:cut]}"
        if vocab.get(candidate) is not None:
            yield candidate
            yield from _pieces(word[cut:], vocab, "##")
            return
    raise _Unknown(word)
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    try:
        if len(word) > max_chars:
            raise _Unknown(word)
        return list(_pieces(word, vocab))
    except _Unknown:
        return [unk_token]
