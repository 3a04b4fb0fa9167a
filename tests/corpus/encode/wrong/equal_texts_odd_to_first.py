# wrong: equal texts: the odd one to the first
# named: tie_to_first
def encode(first, second, vocab, max_length=512):
    a, b = ([p for w in split_words(t or "") for p in wordpiece_tokenize(w, vocab)] for t in (first, second))
    room = max_length - (3 if second else 2)
    if len(a) + len(b) > room:
        s = min(len(a), len(b), room // 2)
        ka, kb = (room - s, s) if len(a) >= len(b) else (s, room - s)
        a, b = a[:ka], b[:kb]
    seq = ["[CLS]", *a, "[SEP]"] + ([*b, "[SEP]"] if second else [])
    n = len(a) + 2
    return dict(input_ids=[vocab[x] for x in seq], token_type_ids=[int(i >= n) for i in range(len(seq))], attention_mask=[1] * len(seq))
