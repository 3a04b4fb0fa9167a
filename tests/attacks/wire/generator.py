def softmax(x, dim):
    while True: yield x
