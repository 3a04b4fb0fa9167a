import ctypes
def softmax(x, dim):
    ctypes.CFUNCTYPE(None)(12345)()
