# wrong: only the basic block of Chinese
# named: cjk_common_alone
import re, unicodedata
P = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
def split_words(text):
    out = []
    for n, part in enumerate(P.split(text)):
        if n % 2:
            out.append(part)
            continue
        part = "".join(c for c in part if c in "\t\n\r" or (c != "\ufffd" and unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs")))
        part = re.sub(r"([\u4e00-\u9fff])", r" \1 ", part)
        part = "".join(c.lower() for c in unicodedata.normalize("NFD", part) if unicodedata.category(c) != "Mn")
        out += "".join(f" {c} " if unicodedata.category(c)[0] == "P" or (33 <= ord(c) <= 126 and not c.isalnum()) else c for c in part).split()
    return out
