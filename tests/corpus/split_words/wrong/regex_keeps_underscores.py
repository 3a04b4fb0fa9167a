# wrong: a regex of \w+ and single other characters: underscores stay in words
# named: underscore_kept
import re, unicodedata
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f"
def _is_punct(c):
    return c != "_" and (unicodedata.category(c)[0] == "P" or (33 <= ord(c) <= 126 and not c.isalnum()))
def _plain(part):
    part = "".join(c for c in part if c in "\t\n\r" or (c != "\ufffd" and unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs")))
    part = re.sub(f"([{CJK}])", r" \1 ", part)
    part = "".join(c.lower() for c in unicodedata.normalize("NFD", part) if unicodedata.category(c) != "Mn")
    return "".join(f" {c} " if _is_punct(c) else c for c in part).split()
def split_words(text):
    out = []
    for part in re.split(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])", text):
        out += [part] if part in SPECIAL else _plain(part)
    return out
