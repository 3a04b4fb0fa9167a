# right: str.translate tables, one regex for everything at the end
import re, sys, unicodedata
_DROP = {cp: None for cp in range(sys.maxunicode + 1)
         if unicodedata.category(chr(cp)) in {"Cc", "Cf", "Co", "Cs"} and chr(cp) not in "\t\n\r"}
_DROP[0xFFFD] = None
_CJK = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f])")
_SPECIAL = "[PAD] [UNK] [CLS] [SEP] [MASK]".split()

def _punct(c):
    o = ord(c)
    return 33 <= o <= 47 or 58 <= o <= 64 or 91 <= o <= 96 or 123 <= o <= 126 or unicodedata.category(c)[0] == "P"

def _basic(text):
    text = _CJK.sub(r" \1 ", text.translate(_DROP))
    text = unicodedata.normalize("NFD", text)
    for chunk in text.split():
        word = ""
        for c in chunk:
            if unicodedata.category(c) == "Mn":
                continue
            c = c.lower()
            for one in c:
                if _punct(one):
                    if word:
                        yield word
                    yield one
                    word = ""
                else:
                    word += one
        if word:
            yield word

def split_words(text):
    out, at = [], 0
    i = 0
    while i < len(text):
        for s in _SPECIAL:
            if text.startswith(s, i):
                out.extend(_basic(text[at:i]))
                out.append(s)
                i += len(s)
                at = i
                break
        else:
            i += 1
    out.extend(_basic(text[at:]))
    return out
