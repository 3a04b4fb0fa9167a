# right: pops piece by piece as transformers once did, deque, helpers of its own
import unicodedata

def encode(first, second, vocab, max_length=512):
    a = [p for w in split_words(first) for p in wordpiece_tokenize(w, vocab)]
    b = [p for w in split_words(second) for p in wordpiece_tokenize(w, vocab)] if second else []
    room = max_length - 2 - bool(second)
    longer = 0 if len(a) > len(b) else 1
    while len(a) + len(b) > room:
        if len(a) > len(b) or (len(a) == len(b) and longer == 1 and len(a) + len(b) - room >= 1):
            a.pop()
        else:
            b.pop()
    parts = [["[CLS]"] + a + ["[SEP]"]] + ([b + ["[SEP]"]] if second else [])
    return {
        "attention_mask": [1 for part in parts for _ in part],
        "token_type_ids": [kind for kind, part in enumerate(parts) for _ in part],
        "input_ids": [vocab[p] for part in parts for p in part],
    }

import re
SPECIAL = re.compile(r"(\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\])")

def split_words(text):
    words = []
    for n, part in enumerate(SPECIAL.split(text)):
        if n % 2:
            words.append(part)
            continue
        out = []
        for ch in part:
            cat = unicodedata.category(ch)
            if ch in "\t\n\r":
                out.append(" ")
            elif ch == "\ufffd" or cat in ("Cc", "Cf", "Co", "Cs"):
                continue
            elif any(lo <= ord(ch) <= hi for lo, hi in ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))):
                out.append(f" {ch} ")
            else:
                out.append(ch)
        flat = unicodedata.normalize("NFD", "".join(out))
        low = [c.lower() for c in flat if unicodedata.category(c) != "Mn"]
        words += "".join(f" {c} " if (33 <= ord(c) <= 126 and not c.isalnum()) or unicodedata.category(c)[0] == "P" else c for c in low).split()
    return words

def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    out, i = [], 0
    while i < len(word):
        for j in range(len(word), i, -1):
            piece = word[i:j] if i == 0 else "##" + word[i:j]
            if piece in vocab:
                out.append(piece)
                i = j
                break
        else:
            return [unk_token]
    return out
