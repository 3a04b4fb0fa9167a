# right: white space by category, each character lowered in a list
import unicodedata

SP = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

def split_words(text):
    out, cur = [], []
    def flush():
        if cur:
            out.append("".join(cur))
            cur.clear()
    def clean(c):
        return c not in "\t\n\r" and (c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs"))
    def han(o):
        return (0x4E00 <= o <= 0x9FFF or 0x3400 <= o <= 0x4DBF or 0xF900 <= o <= 0xFAFF or 0x20000 <= o <= 0x2A6DF
                or 0x2A700 <= o <= 0x2B81F or 0x2B820 <= o <= 0x2CEAF or 0x2F800 <= o <= 0x2FA1F)
    segments, i, last = [], 0, 0
    while i < len(text):
        s = next((s for s in SP if text[i:i + len(s)] == s), None)
        if s:
            segments += [(text[last:i], False), (s, True)]
            i += len(s)
            last = i
        else:
            i += 1
    segments.append((text[last:], False))
    for seg, special in segments:
        if special:
            flush()
            out.append(seg)
            continue
        seg = "".join((" " + c + " ") if han(ord(c)) else c for c in seg if not clean(c))
        for c in unicodedata.normalize("NFD", seg):
            cat = unicodedata.category(c)
            if cat == "Mn":
                continue
            for c in c.lower():
                if c.isspace():
                    flush()
                elif unicodedata.category(c)[0] == "P" or ("!" <= c <= "/") or (":" <= c <= "@") or ("[" <= c <= "`") or ("{" <= c <= "~"):
                    flush()
                    out.append(c)
                else:
                    cur.append(c)
        flush()
    return out
