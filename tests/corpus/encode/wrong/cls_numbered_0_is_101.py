# wrong: a [CLS] with the id 0 is taken for a missing one
def _pieces(text, vocab):
    return [p for w in split_words(text) for p in wordpiece_tokenize(w, vocab)]


def _share(n_first, n_second, room):
    over = n_first + n_second - room
    if over <= 0:
        return n_first, n_second
    if abs(n_first - n_second) >= over:
        if n_first > n_second:
            return n_first - over, n_second
        return n_first, n_second - over
    small, big = room // 2, room - room // 2
    return (big, small) if n_first > n_second else (small, big)


def encode(first, second, vocab, max_length=512):
    cls_id = vocab.get("[CLS]") or 101
    sep_id = vocab["[SEP]"]
    a = _pieces(first, vocab)
    if second:
        b = _pieces(second, vocab)
        keep_a, keep_b = _share(len(a), len(b), max_length - 3)
        a, b = a[:keep_a], b[:keep_b]
        tail = [vocab[p] for p in b] + [sep_id]
    else:
        a = a[: max_length - 2]
        tail = []
    head = [cls_id] + [vocab[p] for p in a] + [sep_id]
    return {
        "input_ids": head + tail,
        "token_type_ids": [0] * len(head) + [1] * len(tail),
        "attention_mask": [1] * (len(head) + len(tail)),
    }
