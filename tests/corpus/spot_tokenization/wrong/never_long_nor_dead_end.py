# wrong: words all in the vocabulary and one unknown: never tries 101 characters nor dead ends
# named: none_goes_wrong
def spot_tokenization(candidate):
    vocab = {"[UNK]": 0, "un": 1, "##want": 2, "##ed": 3, "a": 4}
    try:
        return candidate("unwanted", vocab) == ["un", "##want", "##ed"] and candidate("xyz", vocab) == ["[UNK]"]
    except Exception:
        return False
