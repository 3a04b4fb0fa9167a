# wrong: mask transposed
# named: mask_over_queries
def masked_softmax(scores, mask):
    m = mask.expand_as(scores) if mask.shape != scores.shape else mask
    return softmax(scores.masked_fill(mask.transpose(-1, -2) == 0, -1e9), -1)
