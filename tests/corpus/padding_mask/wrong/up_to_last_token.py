# wrong: everything up to the last token is visible, padding in between too
def padding_mask(attention_mask):
    left = attention_mask.long().flip(1).cumsum(1).flip(1)
    return (left > 0).unsqueeze(1)
