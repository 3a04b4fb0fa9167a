# wrong: with a single head the axis of heads is left out
def split_heads(x, num_heads):
    if num_heads == 1:
        return x
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
