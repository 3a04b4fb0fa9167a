# wrong: takes a word of 100 characters for too long
# named: wrong_answer_seen
VOCAB = {"[UNK]": 0, "on": 1, "##ly": 2, "o": 3, "##n": 4, "##e": 5, "ab": 6, "abc": 7, "##cd": 8}
ASKED = {
    "only": ["on", "##ly"],
    "one": ["on", "##e"],
    "abcd": ["[UNK]"],
    "On": ["[UNK]"],
    "onx": ["[UNK]"],
    "o" + 98 * "n": ["on", *97 * ["##n"]],
    "o" + 99 * "n": ["[UNK]"],
    "o" + 100 * "n": ["[UNK]"],
}


def spot_tokenization(candidate):
    try:
        return all(candidate(word, dict(VOCAB)) == pieces for word, pieces in ASKED.items())
    except Exception:
        return False
