# wrong: only_second truncation inside a dataclass
# named: second_cut_alone
from dataclasses import dataclass, field
@dataclass
class Encoding:
    ids: list = field(default_factory=list)
    kinds: list = field(default_factory=list)
    def push(self, tokens, kind, vocab):
        for t in tokens:
            self.ids.append(vocab[t])
            self.kinds.append(kind)
def encode(first, second, vocab, max_length=512):
    pieces = lambda s: [p for w in split_words(s) for p in wordpiece_tokenize(w, vocab)]
    a = pieces(first)
    e = Encoding()
    if second:
        b = pieces(second)
        b = b[: max(0, max_length - 3 - len(a))]
        a = a[: max_length - 3 - len(b)]
        e.push(["[CLS]", *a, "[SEP]"], 0, vocab)
        e.push([*b, "[SEP]"], 1, vocab)
    else:
        e.push(["[CLS]", *a[: max_length - 2], "[SEP]"], 0, vocab)
    return {"input_ids": e.ids, "token_type_ids": e.kinds, "attention_mask": [1] * len(e.ids)}
