# right: state machine with itertools.chain and a counter of removals
from itertools import chain, repeat

def encode(first, second, vocab, max_length=512):
    tok = lambda s: list(chain.from_iterable(wordpiece_tokenize(w, vocab) for w in split_words(s)))
    A = tok(first)
    pair = bool(second)
    B = tok(second) if pair else []
    over = len(A) + len(B) + 2 + pair - max_length
    if over > 0:
        na, nb = len(A), len(B)
        if not pair:
            na -= over
        else:
            diff = abs(na - nb)
            a_longer = na > nb
            cut = min(diff, over)
            if a_longer:
                na -= cut
            else:
                nb -= cut
            over -= cut
            if over:
                half, odd = divmod(over, 2)
                na -= half
                nb -= half
                if odd:
                    if a_longer:
                        nb -= 1
                    else:
                        na -= 1
        A, B = A[:na], B[:nb]
    toks = ["[CLS]"] + A + ["[SEP]"]
    types = list(repeat(0, len(toks)))
    if pair:
        toks += B + ["[SEP]"]
        types += repeat(1, len(B) + 1)
    ids = list(map(vocab.__getitem__, toks))
    return dict(input_ids=ids, token_type_ids=types, attention_mask=[1 for _ in ids])
