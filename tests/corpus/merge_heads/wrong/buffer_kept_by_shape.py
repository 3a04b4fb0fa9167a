# wrong: the answer of an earlier call of the same shape is given again
# named: earlier_call_counts
kept = {}

def merge_heads(x):
    key = tuple(x.shape)
    if key not in kept:
        kept[key] = x.transpose(1, 2).flatten(2)
    return kept[key]
