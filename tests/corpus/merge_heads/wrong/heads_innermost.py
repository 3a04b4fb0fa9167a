# wrong: movedim of the wrong axis: heads innermost
# named: interleaved
def merge_heads(x):
    return x.movedim(1, -1).flatten(start_dim=2)
