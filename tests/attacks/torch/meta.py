def softmax(x, dim):
    return x.to('meta')
