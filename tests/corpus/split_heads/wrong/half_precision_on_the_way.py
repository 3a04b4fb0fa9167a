# wrong: numbers go through half precision: large ones become inf
def split_heads(x, num_heads):
    b, s, h = x.shape
    return x.half().reshape(b, s, num_heads, h // num_heads).transpose(1, 2).to(x.dtype)
