# wrong: tabs and line breaks go with the control characters
# named: white_space_dropped
import re
import string
import unicodedata

SPECIAL = r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])"
IDEOGRAPHS = "\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"


def cleaned(text):
    text = "".join(c for c in text if unicodedata.category(c)[0] != "C" and c != "\ufffd")
    text = re.sub(f"([{IDEOGRAPHS}])", r" \1 ", text)
    text = "".join(c.lower() for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    signs = (c in string.punctuation or unicodedata.category(c)[0] == "P" for c in text)
    return "".join(f" {c} " if sign else c for c, sign in zip(text, signs)).split()


def split_words(text):
    words = []
    for place, part in enumerate(re.split(SPECIAL, text)):
        words += [part] if place % 2 else cleaned(part)
    return words
