# right: einsum-free: movedim and reshape, contiguous view
def merge_heads(x):
    B, H, T, D = x.size()
    return x.movedim(1, 2).contiguous().view(B, T, H * D)
