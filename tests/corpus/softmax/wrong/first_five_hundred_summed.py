# wrong: only the first 512 entries are summed
def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.narrow(dim, 0, min(512, x.shape[dim])).sum(dim, keepdim=True)
