# wrong: composed (NFC) where decomposed is asked, so accents stay and Hangul is whole
# named: composed
import re
import unicodedata

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

def is_punct(c):
    o = ord(c)
    if (33 <= o <= 47) or (58 <= o <= 64) or (91 <= o <= 96) or (123 <= o <= 126):
        return True
    return unicodedata.category(c).startswith("P")

def is_cjk(c):
    o = ord(c)
    return any(a <= o <= b for a, b in [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B820, 0x2CEAF), (0x2F800, 0x2FA1F)])

def split_words(text):
    result = []
    for piece in re.split("(" + "|".join(re.escape(s) for s in SPECIALS) + ")", text):
        if piece in SPECIALS:
            result.append(piece)
            continue
        s = ""
        for c in piece:
            if c not in "\t\n\r" and (c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs")):
                continue
            if is_cjk(c):
                s += " " + c + " "
            else:
                s += c
        s = unicodedata.normalize("NFC", s)
        s = "".join(c.lower() for c in s if unicodedata.category(c) != "Mn")
        s = "".join(" " + c + " " if is_punct(c) else c for c in s)
        result.extend(s.split())
    return result
