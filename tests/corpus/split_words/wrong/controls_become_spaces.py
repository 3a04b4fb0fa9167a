# wrong: control characters become spaces
# named: control_cuts
import re, unicodedata
P = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
CJK = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))
def split_words(text):
    out = []
    for n, part in enumerate(P.split(text)):
        if n % 2:
            out.append(part)
            continue
        part = "".join(" " if c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs") else c for c in part)
        part = "".join(f" {c} " if any(a <= ord(c) <= b for a, b in CJK) else c for c in part)
        part = "".join(c.lower() for c in unicodedata.normalize("NFD", part) if unicodedata.category(c) != "Mn")
        out += "".join(f" {c} " if unicodedata.category(c)[0] == "P" or (33 <= ord(c) <= 126 and not c.isalnum()) else c for c in part).split()
    return out
