# wrong: Japanese kana and Hangul cut up as if Chinese
# named: kana_split
import re, unicodedata
P = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
def east(c):
    return 0x3040 <= ord(c) <= 0x30FF or 0x3400 <= ord(c) <= 0x9FFF or 0xAC00 <= ord(c) <= 0xD7A3 or 0xF900 <= ord(c) <= 0xFAFF or 0x20000 <= ord(c) <= 0x2FA1F
def split_words(text):
    out = []
    for n, part in enumerate(P.split(text)):
        if n % 2:
            out.append(part)
            continue
        part = "".join(c for c in part if c in "\t\n\r" or (c != "\ufffd" and unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs")))
        part = "".join(f" {c} " if east(c) else c for c in part)
        part = "".join(c.lower() for c in unicodedata.normalize("NFD", part) if unicodedata.category(c) != "Mn")
        out += "".join(f" {c} " if unicodedata.category(c)[0] == "P" or (33 <= ord(c) <= 126 and not c.isalnum()) else c for c in part).split()
    return out
