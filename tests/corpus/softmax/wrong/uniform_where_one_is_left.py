# wrong: a sum of at most 1 is taken for an empty row and gives equal weights
def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    s = e.sum(dim, keepdim=True)
    return (e / s).where(s > 1, (e * 0 + 1) / x.shape[dim])
