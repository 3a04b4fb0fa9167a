# wrong: words in ASCII alone, and beyond the limit those of one-letter pieces: a limit in bytes or in pieces gets through
# named: no_accents, pieces_of_one_letter, one_order
def spot_tokenization(candidate):
    pieces = ["un", "##able", "##want", "##ed", "want", "play", "##ing", "##s", "a", "##a", "ab", "abc", "##cd", "hug", "hu", "##gs", "[UNK]", "b"]
    vocab = {piece: number for number, piece in enumerate(pieces)}
    wanted = {
        "unable": ["un", "##able"], "unwanted": ["un", "##want", "##ed"], "play": ["play"], "playing": ["play", "##ing"],
        "playings": ["play", "##ing", "##s"], "able": ["[UNK]"], "ing": ["[UNK]"], "abcd": ["[UNK]"], "hugs": ["hug", "##s"],
        "playxing": ["[UNK]"], "playx": ["[UNK]"], "xplay": ["[UNK]"], "Play": ["[UNK]"], "a": ["a"], "b": ["b"], "bb": ["[UNK]"], "x": ["[UNK]"],
        "a" * 100: ["a"] + ["##a"] * 99, "a" * 101: ["[UNK]"],
    }
    try:
        return all(candidate(word, dict(vocab)) == cut for word, cut in wanted.items())
    except Exception:
        return False
