# wrong: words looked up whole: no pieces in the second text
def encode(first, second, vocab, max_length=512):
    a = [p for w in split_words(first) for p in wordpiece_tokenize(w, vocab)]
    b = [w if w in vocab else "[UNK]" for w in split_words(second or "")]
    room = max_length - (3 if second else 2)
    if len(a) + len(b) > room:
        s = min(len(a), len(b), room // 2)
        ka, kb = (room - s, s) if len(a) > len(b) else (s, room - s)
        a, b = a[:ka], b[:kb]
    seq = ["[CLS]", *a, "[SEP]"] + ([*b, "[SEP]"] if second else [])
    n = len(a) + 2
    return dict(input_ids=[vocab[x] for x in seq], token_type_ids=[int(i >= n) for i in range(len(seq))], attention_mask=[1] * len(seq))
