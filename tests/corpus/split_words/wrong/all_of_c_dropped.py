# wrong: drops unassigned characters too, which are no control characters
# named: unassigned_dropped
import re, unicodedata
SPECIAL = re.compile(r"(\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\])")
CJK = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))

def split_words(text):
    words = []
    for part in SPECIAL.split(text):
        if SPECIAL.fullmatch(part):
            words.append(part)
            continue
        kept = "".join(c for c in part if c in "\t\n\r" or not (c == "\ufffd" or unicodedata.category(c).startswith("C")))
        spaced = "".join(f" {c} " if any(a <= ord(c) <= b for a, b in CJK) else c for c in kept)
        small = (c.lower() for c in unicodedata.normalize("NFD", spaced) if unicodedata.category(c) != "Mn")
        words.extend("".join(f" {c} " if ("!" <= c <= "~" and not c.isalnum()) or unicodedata.category(c).startswith("P") else c for c in small).split())
    return words
