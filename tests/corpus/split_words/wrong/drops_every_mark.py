# wrong: drops marks of every category, vowel signs too
# named: spacing_marks_dropped
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


class BasicTokenizer:
    def _clean_text(self, text):
        output = []
        for char in text:
            if is_control(char):
                continue
            output.append(" " if char.isspace() else char)
        return "".join(output)

    def _tokenize_chinese_chars(self, text):
        output = []
        for char in text:
            if is_cjk(char):
                output.append(" ")
                output.append(char)
                output.append(" ")
            else:
                output.append(char)
        return "".join(output)

    def _run_strip_accents(self, text):
        text = unicodedata.normalize("NFD", text)
        return "".join([char for char in text if not unicodedata.category(char).startswith("M")])

    def _run_split_on_punc(self, text):
        start_new_word, output = True, []
        for char in text:
            if is_punctuation(char):
                output.append([char])
                start_new_word = True
            else:
                if start_new_word:
                    output.append([])
                start_new_word = False
                output[-1].append(char)
        return ["".join(x) for x in output]

    def tokenize(self, text):
        text = self._tokenize_chinese_chars(self._clean_text(text))
        text = "".join(map(str.lower, self._run_strip_accents(text)))
        split_tokens = []
        for token in text.split():
            split_tokens.extend(self._run_split_on_punc(token))
        return split_tokens


def split_words(text: str) -> list[str]:
    tokenizer, words, place = BasicTokenizer(), [], 0
    for found in SPECIAL_PATTERN.finditer(text):
        words += tokenizer.tokenize(text[place : found.start()])
        words.append(found.group())
        place = found.end()
    return words + tokenizer.tokenize(text[place:])
