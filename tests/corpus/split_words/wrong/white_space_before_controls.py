# wrong: text is split on white space before control characters are dropped
# named: split_first
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


def _clean_word(word: str) -> str:
    word = "".join(c for c in word if not is_control(c))
    word = "".join(f" {c} " if is_cjk(c) else c for c in word)
    word = "".join(c for c in unicodedata.normalize("NFD", word)
                   if unicodedata.category(c) != "Mn")
    word = "".join(c.lower() for c in word)
    return "".join(f" {c} " if is_punctuation(c) else c for c in word)


def split_words(text: str) -> list[str]:
    words: list[str] = []
    for part in SPECIAL_PATTERN.split(text):
        if part in SPECIAL_TOKENS:
            words.append(part)
        else:
            for word in part.split():
                words.extend(_clean_word(word).split())
    return words
