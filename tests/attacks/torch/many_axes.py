def softmax(x, dim):
    return x.reshape([1] * (64 - x.dim()) + list(x.shape))
