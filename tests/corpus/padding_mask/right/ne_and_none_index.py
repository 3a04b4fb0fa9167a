# right: ne and None index
def padding_mask(attention_mask):
    return attention_mask.ne(0)[:, None, :]
