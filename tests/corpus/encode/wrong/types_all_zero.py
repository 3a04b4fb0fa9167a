# wrong: all types zero, pieces chained from parts
# named: types_zero
from itertools import chain
def encode(first, second, vocab, max_length=512):
    parts = [[p for w in split_words(t) for p in wordpiece_tokenize(w, vocab)] for t in (first, second) if t]
    if len(parts) == 2:
        room = max_length - 3
        if sum(map(len, parts)) > room:
            s = min(len(parts[0]), len(parts[1]), room // 2)
            ka, kb = (room - s, s) if len(parts[0]) > len(parts[1]) else (s, room - s)
            parts = [parts[0][:ka], parts[1][:kb]]
    else:
        parts = [parts[0][: max_length - 2]] if parts else [[]]
    tokens = ["[CLS]", *chain.from_iterable([*p, "[SEP]"] for p in parts)]
    return {"input_ids": [vocab[t] for t in tokens], "token_type_ids": [0 for _ in tokens], "attention_mask": [1 for _ in tokens]}
