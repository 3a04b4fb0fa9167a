# wrong: view of a non-contiguous tensor
# named: view_after_transpose
def merge_heads(x):
    b, h, t, d = x.shape
    return x.transpose(1, 2).view(b, t, h * d)
