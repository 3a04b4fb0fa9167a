def merge_heads(x):
    return x.movedim(1, -1).flatten(start_dim=2)
