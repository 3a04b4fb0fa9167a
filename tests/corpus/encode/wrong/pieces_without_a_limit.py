# wrong: a piece loop of its own, without the limit of 100 characters
def pieces_of_word(word, vocab):
    pieces, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start and ("##" if start else "") + word[start:end] not in vocab:
            end -= 1
        if end == start:
            return ["[UNK]"]
        pieces.append(("##" if start else "") + word[start:end])
        start = end
    return pieces
def encode(
    first: str, second, vocab: dict, max_length: int = 512
) -> dict:
    """Turn a text, or a pair of texts, into what BERT takes.

    One text becomes [CLS] first [SEP], a pair [CLS] first [SEP] second [SEP]. Where that is longer
    than max_length, pieces are cut from the ends of the texts, never special tokens. The longer
    text is cut first, until both are equally long; then both are cut, so that each keeps half of
    the room. If the room is an odd number, the text that was longer keeps one piece more; if both
    were equally long, the second does. No ready-made tokenizer is called.

    second:     None, or "", for a single text; " " is a second text without words
    vocab:      maps each piece to its id; has [UNK], [CLS] and [SEP], and any id may be 0; a
                special token that it lacks goes to wordpiece_tokenize whole
    max_length: counts the special tokens; at least 2, for a pair 3
    returns:    three new lists of the same length: input_ids; token_type_ids, 0 up to first's [SEP]
                and 1 after it; attention_mask, all 1

    Source: Devlin et al. 2019, "BERT", figure 2; the cut is that of transformers' BertTokenizer.
    """

    def pieces_of(text: str) -> list[str]:
        return [piece for word in split_words(text) for piece in pieces_of_word(word, vocab)]

    a, b = pieces_of(first), pieces_of(second or "")
    room = max_length - (3 if second else 2)
    if len(a) + len(b) > room:
        shorter = min(len(a), len(b), room // 2)
        keep_a, keep_b = (room - shorter, shorter) if len(a) > len(b) else (shorter, room - shorter)
        a, b = a[:keep_a], b[:keep_b]
    a = ["[CLS]", *a, "[SEP]"]
    b = [*b, "[SEP]"] if second else []
    return {
        "input_ids": [vocab[piece] for piece in a + b],
        "token_type_ids": [0] * len(a) + [1] * len(b),
        "attention_mask": [1] * len(a + b),
    }
