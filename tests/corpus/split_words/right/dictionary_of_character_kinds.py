# right: transformers-free, dictionary of character kinds, generator
import re
import unicodedata

KEEP = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
CJK = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]

def kind(c):
    if c.isspace() and unicodedata.category(c) in ("Zs", "Zl", "Zp") or c in "\t\n\r":
        return "space"
    return unicodedata.category(c)

def pieces(text):
    cleaned = "".join(c for c in text if c in "\t\n\r" or (c != "\ufffd" and unicodedata.category(c) not in {"Cc", "Cf", "Co", "Cs"}))
    spaced = "".join(" %s " % c if any(a <= ord(c) <= b for a, b in CJK) else c for c in cleaned)
    word = ""
    for c in unicodedata.normalize("NFD", spaced):
        if unicodedata.category(c) == "Mn":
            continue
        for l in [c.lower()]:
            if kind(c) == "space":
                if word: yield word
                word = ""
            elif kind(c).startswith("P") or (c.isascii() and c.isprintable() and not c.isalnum()):
                if word: yield word
                yield l
                word = ""
            else:
                word += l
    if word:
        yield word

def split_words(text):
    out = []
    for part in re.split("(" + "|".join(re.escape(k) for k in KEEP) + ")", text):
        out.extend([part] if part in KEEP else pieces(part))
    return out
