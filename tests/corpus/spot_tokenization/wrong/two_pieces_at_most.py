# wrong: no word has three pieces
# named: none_goes_wrong
def spot_tokenization(candidate):
    """Words of one or two pieces by hand; three letters, one of them left over."""
    vocab = {p: i for i, p in enumerate(
        ["play", "##ing", "##s", "pl", "##aying", "do", "dog", "##gy", "##gs", "é" * 60, "##" + "é" * 30,
         "a" * 60, "##" + "a" * 40, "##" + "a" * 41, "to", "##day", "day", "ab", "abc", "##cd",
         "b" * 5, "##" + "b" * 96, "un", "##do", "run", "##ning"])}
    table = [
        ("play", ["play"]), ("plays", ["play", "##s"]), ("playing", ["play", "##ing"]),
        ("doggy", ["dog", "##gy"]), ("Play", ["[UNK]"]), ("ing", ["[UNK]"]), ("today", ["to", "##day"]),
        ("dayto", ["[UNK]"]), ("playdo", ["play", "##do"]), ("q", ["[UNK]"]), ("qplay", ["[UNK]"]),
        ("abcd", ["[UNK]"]), ("abc", ["abc"]), ("dogs", ["dog", "##s"]), ("playx", ["[UNK]"]),
        ("undo", ["un", "##do"]), ("running", ["run", "##ning"]), ("toplay", ["[UNK]"]),
        ("é" * 90, ["é" * 60, "##" + "é" * 30]), ("doq", ["[UNK]"]), ("gy", ["[UNK]"]),
        ("a" * 100, ["a" * 60, "##" + "a" * 40]), ("a" * 101, ["[UNK]"]), ("b" * 101, ["[UNK]"]),
    ]
    try:
        return all(candidate(word, dict(vocab)) == pieces for word, pieces in table)
    except Exception:
        return False
