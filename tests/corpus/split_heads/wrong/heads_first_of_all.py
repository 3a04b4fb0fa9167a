# wrong: movedim puts heads first of all
# named: heads_first
def split_heads(x, num_heads):
    b, s, e = x.shape
    return x.view(b, s, num_heads, e // num_heads).movedim(2, 0)
