# wrong: budget split half each, given remaining to none
# named: halved
def encode(first, second, vocab, max_length=512):
    pieces = lambda text: [p for w in split_words(text) for p in wordpiece_tokenize(w, vocab)]
    a = pieces(first)
    if second:
        b = pieces(second)
        avail = max_length - 3
        if len(a) + len(b) > avail:
            b = b[: avail - avail // 2]
            a = a[: avail // 2]
        all_tokens = ["[CLS]"] + a + ["[SEP]"] + b + ["[SEP]"]
        tt = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    else:
        a = a[: max_length - 2]
        all_tokens = ["[CLS]"] + a + ["[SEP]"]
        tt = [0] * len(all_tokens)
    return {"input_ids": [vocab[x] for x in all_tokens], "token_type_ids": tt, "attention_mask": [1] * len(all_tokens)}
