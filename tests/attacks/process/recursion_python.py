def softmax(x, dim):
    return softmax(x, dim)
