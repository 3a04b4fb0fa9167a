import time
def softmax(x, dim):
    time.sleep(1.5)
    return x
