# wrong: the largest score is sought among hidden keys
# named: maximum_of_all_keys
def masked_softmax(scores, mask):
    keep = mask.to(scores.dtype)
    biggest = scores.amax(dim=-1, keepdim=True)
    e = (scores - biggest).exp() * keep
    return e / e.sum(dim=-1, keepdim=True)
