# wrong: mask transposed
# named: queries_hidden
def masked_softmax(scores, mask):
    m = mask.expand_as(scores) if mask.shape != scores.shape else mask
    return softmax(scores.masked_fill(mask.transpose(-1, -2) == 0, -1e9), -1)
