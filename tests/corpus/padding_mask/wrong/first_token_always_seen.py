# wrong: the first token may always be attended to
def padding_mask(attention_mask):
    mask = attention_mask.bool().unsqueeze(1).clone()
    mask[:, :, 0] = True
    return mask
