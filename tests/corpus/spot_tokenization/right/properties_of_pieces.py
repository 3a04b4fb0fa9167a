# right: properties instead of a copy of the reference
def spot_tokenization(candidate):
    V = {w: i for i, w in enumerate(["play", "[UNK]", "##ing", "##in", "##g", "er", "##er", "##s", "p", "##l", "##a", "##y", "i", "x", "##x", "[PAD]", "pla", "##ß", "ß", "ab", "abc", "##cd", "##" + "x" * 60])}
    def greedy(word):
        if len(word) > 100:
            return ["[UNK]"]
        left, out = word, []
        while left:
            for n in range(len(left), 0, -1):
                p = ("##" if out else "") + left[:n]
                if p in V:
                    out.append(p)
                    left = left[n:]
                    break
            else:
                return ["[UNK]"]
        return out
    words = ["play", "playing", "players", "playerz", "zplay", "er", "ing", "ings", "p", "x" * 100, "x" * 101, "x" * 121, "PLAY", "Playing", "plaplay", "playqing", "ß" * 70, "i", "zzz", "xa", "playings", "pzl", "s", "ers", "abc", "abcd"]
    for w in words:
        try:
            got = candidate(w, dict(V))
        except Exception:
            return False
        if type(got) is not list or got != greedy(w):
            return False
    return True
