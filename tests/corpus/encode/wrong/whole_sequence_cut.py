# wrong: cuts the whole sequence at the end: the last [SEP] goes
# named: cut_at_the_end
def encode(first, second, vocab, max_length=512):
    def sentence(text):
        for w in split_words(text):
            yield from (vocab[p] for p in wordpiece_tokenize(w, vocab))
        yield vocab["[SEP]"]
    ids = [vocab["[CLS]"], *sentence(first)]
    kinds = [0] * len(ids)
    if second:
        more = [*sentence(second)]
        ids += more
        kinds += [1] * len(more)
    ids, kinds = ids[:max_length], kinds[:max_length]
    return {"input_ids": ids, "token_type_ids": kinds, "attention_mask": [1] * len(ids)}
