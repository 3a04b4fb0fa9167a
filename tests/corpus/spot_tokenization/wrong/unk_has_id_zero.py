# wrong: [UNK] stands first in its vocabulary, so no piece with id 0 is needed
# named: no_id_0, no_accents, pieces_of_one_letter
def spot_tokenization(candidate):
    pieces = ["[UNK]", "play", "##ing", "##ed", "un", "##able", "a", "##a", "ab", "abc", "##cd", "##c", "read", "re", "##ad", "##s"]
    vocab = {piece: number for number, piece in enumerate(pieces)}
    wanted = {
        "playing": ["play", "##ing"], "played": ["play", "##ed"], "unable": ["[UNK]"], "unreadable": ["[UNK]"],
        "play": ["play"], "aa": ["a", "##a"], "ab": ["ab"], "abc": ["abc"], "abcd": ["[UNK]"], "read": ["read"], "reads": ["read", "##s"],
        "ing": ["[UNK]"], "playx": ["[UNK]"], "xplay": ["[UNK]"], "xyz": ["[UNK]"], "PLAY": ["[UNK]"],
        "a" * 100: ["a"] + ["##a"] * 99, "a" * 101: ["[UNK]"], "abcc": ["abc", "##c"], "playingeds": ["play", "##ing", "##ed", "##s"],
    }
    wanted["unable"] = ["un", "##able"]
    try:
        return all(candidate(word, dict(vocab)) == cut for word, cut in wanted.items())
    except Exception:
        return False
