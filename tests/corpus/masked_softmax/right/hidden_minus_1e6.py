# right: 1e6 subtracted from hidden keys
def masked_softmax(scores, mask):
    return (scores - 1e6 * (mask == 0).float()).softmax(-1)
