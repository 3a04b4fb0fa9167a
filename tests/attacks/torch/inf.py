def softmax(x, dim):
    return x.abs() * float('inf')
