# wrong: accents are never removed, in a state machine
# named: accents_kept, split_first
import unicodedata
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
CJK = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))
def split_words(text):
    out, word, i = [], [], 0
    def flush():
        if word:
            out.append("".join(word))
            word.clear()
    while i < len(text):
        hit = next((s for s in SPECIAL if text.startswith(s, i)), None)
        if hit:
            flush()
            out.append(hit)
            i += len(hit)
            continue
        c = text[i]
        i += 1
        cat = unicodedata.category(c)
        if c.isspace():
            flush()
        elif c == "\ufffd" or cat in ("Cc", "Cf", "Co", "Cs"):
            continue
        elif any(a <= ord(c) <= b for a, b in CJK) or cat[0] == "P" or (33 <= ord(c) <= 126 and not c.isalnum()):
            flush()
            out.append(c)
        else:
            word.append(c.lower())
    flush()
    return out
