# wrong: pairs of tokens: rows of padding hidden too
# named: outer
def padding_mask(attention_mask):
    m = attention_mask.bool()
    return m[:, :, None] & m[:, None, :]
