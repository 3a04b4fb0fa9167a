def padding_mask(attention_mask):
    m = attention_mask.bool()
    return m[:, :, None] & m[:, None, :]
