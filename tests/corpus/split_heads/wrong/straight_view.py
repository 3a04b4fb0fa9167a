# wrong: straight view in einops-free style with -1s
# named: no_transpose, view_after_transpose
def split_heads(x, num_heads):
    n, t, c = x.size()
    return x.contiguous().view(n, num_heads, -1, c // num_heads)
