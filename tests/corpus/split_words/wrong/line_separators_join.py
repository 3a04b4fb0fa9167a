# wrong: white space is category Zs, tab and line ends: U+2028 and U+2029 are none
import re, unicodedata
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PATTERN = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
RANGES = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))
def is_white(c):
    return c in " \t\n\r" or unicodedata.category(c) == "Zs"
def is_control(c):
    return c not in "\t\n\r" and (c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs"))
def is_sign(c):
    return ("!" <= c <= "~" and not c.isalnum()) or unicodedata.category(c).startswith("P")
def split_words(text):
    words = []
    for part in PATTERN.split(text):
        if part in SPECIAL:
            words.append(part)
            continue
        part = "".join(c for c in part if not is_control(c))
        part = "".join(f" {c} " if any(a <= ord(c) <= b for a, b in RANGES) else c for c in part)
        part = "".join(c for c in unicodedata.normalize("NFD", part) if unicodedata.category(c) != "Mn")
        word = ""
        for c in part + " ":
            c = c.lower()
            if is_white(c) or is_sign(c):
                if word:
                    words.append(word)
                word = ""
                if is_sign(c):
                    words.append(c)
            else:
                word += c
    return words
