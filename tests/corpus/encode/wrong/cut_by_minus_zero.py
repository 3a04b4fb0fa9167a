# wrong: a text of which nothing is to be cut is sliced with [:-0]
# named: uncut_vanishes
def encode(first, second, vocab, max_length=512):
    tok = lambda text: [p for w in split_words(text) for p in wordpiece_tokenize(w, vocab)]
    is_pair = second is not None and second != ""

    p1 = tok(first)
    p2 = tok(second) if is_pair else []
    n1, n2 = len(p1), len(p2)
    over = n1 + n2 - (max_length - (3 if is_pair else 2))

    if over > 0:
        # 1. bring the longer one down to the shorter one
        diff = min(over, abs(n1 - n2))
        cut1 = diff if n1 > n2 else 0
        cut2 = diff if n2 > n1 else 0
        # 2. share the rest; an odd one goes at the cost of the text that was shorter (or the first)
        rest = over - diff
        extra = rest % 2
        cut1 += rest // 2 + (extra if n1 <= n2 else 0)
        cut2 += rest // 2 + (extra if n1 > n2 else 0)
        p1, p2 = p1[:-cut1], p2[:-cut2]

    ids = [vocab["[CLS]"]] + [vocab[p] for p in p1] + [vocab["[SEP]"]]
    types = [0] * len(ids)
    if is_pair:
        ids += [vocab[p] for p in p2] + [vocab["[SEP]"]]
        types += [1] * (len(p2) + 1)
    return dict(input_ids=ids, token_type_ids=types, attention_mask=[1 for _ in ids])
