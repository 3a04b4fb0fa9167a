# wrong: hidden scores become 0 before the softmax and are cut off behind it: rows far below 0 vanish
# named: hidden_zero_in_maximum_1e_13
def masked_softmax(scores, mask):
    shown = (scores * mask).softmax(-1) * mask
    return shown / (shown.sum(-1, keepdim=True) + 1e-13)
