# wrong: its vocabularies list long pieces first
# named: one_order
def spot_tokenization(candidate):
    pieces = ["un", "[UNK]", "want", "##want", "##ed", "able", "##able", "a", "##a", "ab", "abc"]
    pieces += ["##cd", "hug", "hu", "##gs", "##s", "##ing", "a" * 60, "##" + "a" * 40, "é", "##é"]
    pieces.sort(key=lambda piece: -len(piece.removeprefix("##")))
    vocabs = [{piece: (index + turn) % len(pieces) for index, piece in enumerate(pieces)} for turn in range(len(pieces))]
    words = ["able", "a", "hugs", "unwanted", "unwantedable", "unable", "abcd", "ing", "wanted"]
    words += ["unwantedX", "unhug", "Xunwanted", "unXXed", "X", "é" * 60, "Able", "a" * 100, "a" * 101]

    def right(word):
        if len(word) > 100:
            return ["[UNK]"]
        found, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            end = next((end for end in range(len(word), start, -1) if mark + word[start:end] in vocabs[0]), None)
            if end is None:
                return ["[UNK]"]
            found.append(mark + word[start:end])
            start = end
        return found
    try:
        return all(candidate(word, dict(vocab)) == right(word) for vocab in vocabs[::5] for word in words)
    except Exception:
        return False
