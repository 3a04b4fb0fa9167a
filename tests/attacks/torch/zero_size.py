def softmax(x, dim):
    return x[:0]
