# wrong: casefold in a translate pipeline
# named: casefold
import re, unicodedata
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
CJK = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))
class Cleaner:
    def __init__(self, text):
        self.text = text
    def drop_controls(self):
        self.text = "".join(c for c in self.text if c in "\t\n\r" or (c != "\ufffd" and unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs")))
        return self
    def space_cjk(self):
        self.text = "".join(f" {c} " if any(a <= ord(c) <= b for a, b in CJK) else c for c in self.text)
        return self
    def strip_accents(self):
        self.text = "".join(c for c in unicodedata.normalize("NFD", self.text) if unicodedata.category(c) != "Mn")
        return self
    def lower(self):
        self.text = self.text.casefold()
        return self
    def space_punctuation(self):
        self.text = "".join(f" {c} " if unicodedata.category(c)[0] == "P" or (c.isascii() and c.isprintable() and not c.isalnum() and c != " ") else c for c in self.text)
        return self
def split_words(text):
    out = []
    for part in re.split(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])", text):
        if part in SPECIAL:
            out.append(part)
        else:
            out += Cleaner(part).drop_controls().space_cjk().strip_accents().lower().space_punctuation().text.split()
    return out
