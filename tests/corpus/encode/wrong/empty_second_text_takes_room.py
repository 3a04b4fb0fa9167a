# wrong: an empty second text keeps the room of a [SEP] that it does not get
def encode(first, second, vocab, max_length=512):
    texts = [first] + ([] if second is None else [second])
    lists = [[p for w in split_words(t) for p in wordpiece_tokenize(w, vocab)] for t in texts]
    room = max_length - 1 - len(lists)
    sizes = [len(each) for each in lists]
    order = sorted(range(len(sizes)), key=lambda i: (sizes[i], i))
    left = room
    for place, i in enumerate(order):
        sizes[i] = min(sizes[i], left // (len(order) - place))
        left -= sizes[i]
    lists = [each[:size] for each, size in zip(lists, sizes)]
    ids, types = [vocab["[CLS]"]], [0]
    for number, each in enumerate(lists):
        if number and texts[number] == "":
            break
        ids += [vocab[p] for p in each] + [vocab["[SEP]"]]
        types += [number] * (len(each) + 1)
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": [1] * len(ids)}
