# wrong: the odd piece always goes to the first text
# named: odd_to_first
def encode(first, second, vocab, max_length=512):
    a = [p for w in split_words(first) for p in wordpiece_tokenize(w, vocab)]
    b = [p for w in split_words(second) for p in wordpiece_tokenize(w, vocab)] if second else []
    room = max_length - 2 - (1 if second else 0)
    while len(a) + len(b) > room:
        (a if len(a) > len(b) else b).pop()
    ids = [vocab["[CLS]"]] + [vocab[p] for p in a] + [vocab["[SEP]"]]
    t = [0] * len(ids)
    if second:
        ids += [vocab[p] for p in b] + [vocab["[SEP]"]]
        t += [1] * (len(b) + 1)
    return {"input_ids": ids, "token_type_ids": t, "attention_mask": [1] * len(ids)}
