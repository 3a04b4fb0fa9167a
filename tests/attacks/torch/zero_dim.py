def softmax(x, dim):
    return x.sum()
