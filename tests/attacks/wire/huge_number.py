def softmax(x, dim):
    return 10**100_000
