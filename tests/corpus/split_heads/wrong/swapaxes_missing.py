# wrong: swapaxes missing in numpy style
# named: not_moved
def split_heads(x, num_heads):
    n, l, c = x.shape
    return x.reshape((n, l, num_heads, c // num_heads))
