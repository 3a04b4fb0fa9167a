# wrong: a second text without words makes no pair
# named: wordless_single
def encode(
    first: str, second: str | None, vocab: dict[str, int], max_length: int = 512
) -> dict[str, list[int]]:
    one = [p for word in split_words(first) for p in wordpiece_tokenize(word, vocab)]
    two = [p for word in split_words(second or "") for p in wordpiece_tokenize(word, vocab)]
    is_pair = len(two) > 0
    room = max_length - 2 - is_pair
    if len(one) + len(two) > room:
        short = min(len(one), len(two), room // 2)
        n = (room - short, short) if len(one) > len(two) else (short, room - short)
        one, two = one[: n[0]], two[: n[1]]
    sequence = ["[CLS]", *one, "[SEP]"]
    types = [0] * len(sequence)
    if is_pair:
        sequence.extend([*two, "[SEP]"])
        types.extend([1] * (len(sequence) - len(types)))
    return dict(
        input_ids=[vocab[piece] for piece in sequence],
        token_type_ids=types,
        attention_mask=[1] * len(sequence),
    )
