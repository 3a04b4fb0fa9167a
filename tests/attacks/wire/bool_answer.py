def softmax(x, dim):
    return True
