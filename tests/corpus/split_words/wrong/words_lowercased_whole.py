# wrong: words lowercased whole, so a Greek word ends in the other small sigma
# named: lowered_whole
import unicodedata


def split_words(text):
    never = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    for special in never:
        text = text.replace(special, " " + special + " ")
    chinese = [(13312, 19903), (19968, 40959), (63744, 64255), (131072, 173791)]
    chinese += [(173824, 178207), (178208, 183983), (194560, 195103)]

    def ispunct(ch):
        cp = ord(ch)
        return (
            33 <= cp <= 47
            or 58 <= cp <= 64
            or 91 <= cp <= 96
            or (123 <= cp <= 126)
            or unicodedata.category(ch).startswith("P")
        )

    out = []
    for ch in text:
        cp = ord(ch)
        if (
            cp == 0
            or cp == 65533
            or (unicodedata.category(ch).startswith("C") and ch not in "\t\n\r")
        ):
            continue
        if ch.isspace():
            out.append(" ")
        elif any(low <= cp <= high for low, high in chinese):
            out.append(" " + ch + " ")
        else:
            out.append(ch)
    res = []
    for tok in "".join(out).split():
        if tok in never:
            res.append(tok)
            continue
        tok = "".join(
            (
                c
                for c in unicodedata.normalize("NFD", tok.lower())
                if unicodedata.category(c) != "Mn"
            )
        )
        cur = ""
        for c in tok:
            if ispunct(c):
                if cur:
                    res.append(cur)
                res.append(c)
                cur = ""
            else:
                cur += c
        if cur:
            res.append(cur)
    return res
