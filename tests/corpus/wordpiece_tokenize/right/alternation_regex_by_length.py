# right: alternation regex sorted by length, escaped
import re
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    starts = sorted((v for v in vocab if v), key=len, reverse=True)
    inner = sorted((v[2:] for v in vocab if v.startswith("##") and len(v) > 2), key=len, reverse=True)
    first = re.compile("|".join(map(re.escape, starts)) or r"(?!)", re.S)
    later = re.compile("|".join(map(re.escape, inner)) or r"(?!)", re.S)
    out, pos = [], 0
    while pos < len(word):
        hit = (later if pos else first).match(word, pos)
        if hit is None:
            return [unk_token]
        out.append(("##" if pos else "") + hit.group())
        pos = hit.end()
    return out
