# wrong: multiplies by the mask before the softmax
# named: mask_fills_zero
def masked_softmax(scores, mask):
    return (scores * mask).softmax(-1)
