# wrong: subtracts the mean, not the maximum
# named: mean_shift
def softmax(x, dim):
    e = (x - x.mean(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)
