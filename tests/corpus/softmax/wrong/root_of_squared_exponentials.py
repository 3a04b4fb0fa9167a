# wrong: the numbers are right, and the gradient is nan where an exponential vanishes
def softmax(x, dim):
    doubled = 2 * (x - x.amax(dim, keepdim=True))
    e = doubled.exp().sqrt()
    return e / e.sum(dim, keepdim=True)
