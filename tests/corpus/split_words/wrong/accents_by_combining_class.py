# wrong: accents known by their combining class, which many of category Mn do not have
# named: combining_class
import re
import unicodedata

SP = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAT = re.compile("(" + "|".join(map(re.escape, SP)) + ")")

def cjk(o):
    return (0x4E00 <= o <= 0x9FFF or 0x3400 <= o <= 0x4DBF or 0xF900 <= o <= 0xFAFF or 0x20000 <= o <= 0x2A6DF
            or 0x2A700 <= o <= 0x2B81F or 0x2B820 <= o <= 0x2CEAF or 0x2F800 <= o <= 0x2FA1F)

def punct(ch):
    return (33 <= ord(ch) < 127 and not ch.isalnum()) or unicodedata.category(ch).startswith("P")

def split_words(text):
    words = []
    for part in PAT.split(text):
        if part in SP:
            words.append(part)
            continue
        part = "".join(c for c in part if c in "\t\n\r" or not (c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs")))
        part = "".join(f" {c} " if cjk(ord(c)) else c for c in part)
        part = "".join(c.lower() for c in unicodedata.normalize("NFD", part) if not unicodedata.combining(c))
        words += "".join(f" {c} " if punct(c) else c for c in part).split()
    return words
