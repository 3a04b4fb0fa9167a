def softmax(x, dim):
    raise ValueError(object(), lambda: x)
