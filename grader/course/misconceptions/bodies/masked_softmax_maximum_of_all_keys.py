def masked_softmax(scores, mask):
    keep = mask.to(scores.dtype)
    biggest = scores.amax(dim=-1, keepdim=True)
    e = (scores - biggest).exp() * keep
    return e / e.sum(dim=-1, keepdim=True)
