# wrong: consecutive punctuation grouped with itertools.groupby
# named: runs_together
import re, itertools, unicodedata
def kind(c):
    if c.isspace(): return 0
    if unicodedata.category(c)[0] == "P" or c in "$+<=>^`|~": return 2
    return 1
def split_words(text):
    out = []
    for piece in re.split(r"(\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\])", text):
        if piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"):
            out.append(piece); continue
        piece = "".join(c for c in piece if c in "\t\n\r" or not (unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs") or c == "\ufffd"))
        piece = re.sub("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f])", r" \1 ", piece)
        piece = "".join(c.lower() for c in unicodedata.normalize("NFD", piece) if unicodedata.category(c) != "Mn")
        out += ["".join(g) for k, g in itertools.groupby(piece, kind) if k]
    return out
