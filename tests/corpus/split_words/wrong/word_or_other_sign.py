# wrong: regex \w+ or a single other sign, as most write it
# named: underscore_kept, symbols_split
import re, unicodedata
def split_words(text):
    out = []
    for part in re.split(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])", text):
        if re.fullmatch(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]", part):
            out.append(part)
            continue
        part = "".join(c for c in part if c in "\t\n\r" or (c != "\ufffd" and unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs")))
        part = re.sub("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f])", r" \1 ", part)
        part = "".join(c.lower() for c in unicodedata.normalize("NFD", part) if unicodedata.category(c) != "Mn")
        out += re.findall(r"\w+|[^\w\s]", part)
    return out
