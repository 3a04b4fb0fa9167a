# wrong: takes two blocks of Chinese characters, and all between them, for one
# named: blocks_in_one
import re, unicodedata
S = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
P = re.compile("(" + "|".join(map(re.escape, S)) + ")")
R = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))
def ctl(c):
    return c not in "\t\n\r" and (c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs"))
def pun(c):
    return ("!" <= c <= "~" and not c.isalnum()) or unicodedata.category(c).startswith("P")
def cjk(c):
    return any(a <= ord(c) <= b for a, b in R)
DROPPED = ("Mn",)
def words_of(text):
    words = []
    for part in P.split(text):
        if part in S:
            words.append(part)
            continue
        kept = "".join(c for c in part if not ctl(c))
        spaced = "".join(f" {c} " if cjk(c) else c for c in kept)
        plain = (c.lower() for c in unicodedata.normalize("NFD", spaced) if unicodedata.category(c) not in DROPPED)
        words += "".join(f" {c} " if pun(c) else c for c in plain).split()
    return words

R = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))
def split_words(text):
    return words_of(text)
