# wrong: compares piece by piece, and never how many there are
# named: none_goes_wrong, wrong_answer_seen
def spot_tokenization(candidate):
    vocab = {p: i for i, p in enumerate(["[UNK]", "re", "##play", "##p", "##ed", "red", "r", "##e", "##d", "o", "##o"])}
    cases = {"replayed": ["re", "##play", "##ed"], "red": ["red"], "rep": ["re", "##p"], "repl": ["[UNK]"], "play": ["[UNK]"],
             "Red": ["[UNK]"], "redd": ["red", "##d"], "o" * 100: ["o"] + 99 * ["##o"], "o" * 101: ["[UNK]"], "dr": ["[UNK]"]}
    for word in cases:
        try:
            pieces = candidate(word, vocab)
        except Exception:
            return False
        for mine, yours in zip(cases[word], pieces):
            if mine != yours:
                return False
    return True
