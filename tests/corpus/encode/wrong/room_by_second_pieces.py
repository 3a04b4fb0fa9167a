# wrong: room for the second [SEP] only where the second text has pieces
# named: wordless_without_room
import math, torch
from torch import nn
import torch.nn.functional as F

def encode(first, second, vocab, max_length=512):
    one = [p for w in split_words(first) for p in wordpiece_tokenize(w, vocab)]
    two = [p for w in split_words(second) for p in wordpiece_tokenize(w, vocab)] if second else []
    room = max_length - (3 if two else 2)
    if len(one) + len(two) > room:
        if len(one) > len(two):
            b = min(len(two), room // 2); a = room - b
        else:
            a = min(len(one), room // 2); b = room - a
        one, two = one[:a], two[:b]
    x = ["[CLS]"] + one + ["[SEP]"]
    t = [0] * len(x)
    if second:
        x += two + ["[SEP]"]
        t += [1] * (len(two) + 1)
    return {"input_ids": [vocab[p] for p in x], "token_type_ids": t, "attention_mask": [1] * len(x)}
