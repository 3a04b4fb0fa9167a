# wrong: a word that is a piece is kept whole, also one of more than 100 letters
import torch, math
from torch import nn, Tensor
import torch.nn.functional as F
def encode(first, second, vocab, max_length=512):
    def pieces_of(text):
        out = []
        for word in split_words(text):
            piece = [word] if word in vocab else wordpiece_tokenize(word, vocab)
            out += piece
        return out
    a, b = pieces_of(first), pieces_of(second or "")
    room = max_length - (3 if second else 2)
    if len(a) + len(b) > room:
        shorter = min(len(a), len(b), room // 2)
        ka, kb = (room - shorter, shorter) if len(a) > len(b) else (shorter, room - shorter)
        a, b = a[:ka], b[:kb]
    a = ["[CLS]", *a, "[SEP]"]
    b = [*b, "[SEP]"] if second else []
    return {"input_ids": [vocab[p] for p in a + b], "token_type_ids": [0] * len(a) + [1] * len(b), "attention_mask": [1] * len(a + b)}
