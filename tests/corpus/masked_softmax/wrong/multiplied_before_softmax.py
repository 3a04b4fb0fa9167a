def masked_softmax(scores, mask):
    return (scores * mask).softmax(-1)
