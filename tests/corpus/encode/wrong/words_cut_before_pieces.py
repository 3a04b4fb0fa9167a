# wrong: truncation happens on words before they are cut into pieces
# named: words_cut, odd_to_first
def encode(first, second, vocab, max_length=512):
    a, b = split_words(first), split_words(second or "")
    room = max_length - (3 if second else 2)
    while len(a) + len(b) > room:
        (a if len(a) > len(b) else b).pop()
    cut = lambda ws: [p for w in ws for p in wordpiece_tokenize(w, vocab)]
    left = ["[CLS]", *cut(a), "[SEP]"]
    right = [*cut(b), "[SEP]"] if second else []
    return {"input_ids": [vocab[p] for p in left + right], "token_type_ids": [0] * len(left) + [1] * len(right), "attention_mask": [1] * len(left + right)}
