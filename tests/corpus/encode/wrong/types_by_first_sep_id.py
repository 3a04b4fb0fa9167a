# wrong: types change at the first [SEP] among the ids, also one that the text holds
# named: types_by_sep
def encode(
    first: str, second: str | None, vocab: dict[str, int], max_length: int = 512
) -> dict[str, list[int]]:
    def pieces(text: str) -> list[str]:
        found: list[str] = []
        for word in split_words(text):
            found += wordpiece_tokenize(word, vocab)
        return found

    a = pieces(first)
    b = pieces(second) if second else []
    room = max_length - (3 if second else 2)
    if len(a) + len(b) > room:
        if not second:
            a = a[:room]
        else:
            half, odd = divmod(room, 2)
            more_a = half + odd if len(a) > len(b) else half
            more_b = room - more_a
            if len(a) <= more_a:
                b = b[: room - len(a)]
            elif len(b) <= more_b:
                a = a[: room - len(b)]
            else:
                a, b = a[:more_a], b[:more_b]

    tokens = ["[CLS]", *a, "[SEP]", *b, *(["[SEP]"] if second else [])]
    input_ids = [vocab[token] for token in tokens]
    boundary = input_ids.index(vocab["[SEP]"])
    return {
        "input_ids": input_ids,
        "token_type_ids": [int(i > boundary) for i in range(len(input_ids))],
        "attention_mask": [1] * len(input_ids),
    }
