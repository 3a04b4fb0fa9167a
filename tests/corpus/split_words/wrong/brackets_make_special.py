# wrong: every part in square brackets is taken for a special token
# named: any_brackets
import re
import unicodedata

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SPECIAL_PATTERN = re.compile("(" + "|".join(map(re.escape, SPECIAL_TOKENS)) + ")")
CJK_RANGES = (
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF)),
    *((0x2A700, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F)),
)


def is_control(char: str) -> bool:
    if char in "\t\n\r":
        return False
    return char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs")


def is_punctuation(char: str) -> bool:
    ascii_sign = "!" <= char <= "~" and not char.isalnum()
    return ascii_sign or unicodedata.category(char).startswith("P")


def is_cjk(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in CJK_RANGES)


def split_words(text):
    result = []
    for chunk in SPECIAL_PATTERN.split(text):
        if chunk.startswith("[") and chunk.endswith("]"):
            result.append(chunk)
            continue
        kept = [ch for ch in chunk if not is_control(ch)]
        spaced = "".join(" " + ch + " " if is_cjk(ch) else ch for ch in kept)
        apart = unicodedata.normalize("NFD", spaced)
        bare = [ch for ch in apart if unicodedata.category(ch) != "Mn"]
        lower = [ch.lower() for ch in bare]
        for word in "".join(lower).split():
            current = ""
            for ch in word:
                if is_punctuation(ch):
                    if current:
                        result.append(current)
                    result.append(ch)
                    current = ""
                else:
                    current += ch
            if current:
                result.append(current)
    return result
