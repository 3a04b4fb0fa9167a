# wrong: own wordpiece_tokenize(text, vocab) over all words; second SEP missing
# named: no_last_sep, odd_to_first
def wordpiece_tokenize(words, vocab):
    out = []
    for word in words:
        start, pieces = 0, []
        while start < len(word):
            end = len(word)
            while end > start:
                p = word[start:end] if start == 0 else "##" + word[start:end]
                if p in vocab:
                    break
                end -= 1
            if end == start:
                pieces = ["[UNK]"]
                break
            pieces.append(p)
            start = end
        if len(word) > 100:
            pieces = ["[UNK]"]
        out += pieces
    return out

def encode(first, second, vocab, max_length=512):
    a = wordpiece_tokenize(split_words(first), vocab)
    b = wordpiece_tokenize(split_words(second), vocab) if second else []
    room = max_length - (3 if b else 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a = a[:-1]
        else:
            b = b[:-1]
    tokens = ["[CLS]"] + a + ["[SEP]"] + b
    return {"input_ids": [vocab[t] for t in tokens],
            "token_type_ids": [0] * (len(a) + 2) + [1] * len(b),
            "attention_mask": [1] * len(tokens)}
