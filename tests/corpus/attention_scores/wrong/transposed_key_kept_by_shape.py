# wrong: the transposed keys of an earlier call are used for keys of the same shape
import math

_keys = {}

def attention_scores(query, key):
    kt = _keys.setdefault(tuple(key.shape), key.transpose(1, 2))
    return query @ kt / math.sqrt(query.size(-1))
