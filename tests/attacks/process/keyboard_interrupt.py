def softmax(x, dim):
    raise KeyboardInterrupt
