# wrong: ~mask with ints
# named: integers_inverted
def masked_softmax(scores, mask):
    return softmax(scores.masked_fill((~mask).bool(), float("-inf")), dim=-1)
