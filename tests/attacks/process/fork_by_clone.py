import ctypes
def softmax(x, dim):
    libc = ctypes.CDLL(None)
    for number in (56, 57, 58, 435):  # clone, fork, vfork, clone3 on x86-64
        if libc.syscall(number, 17, 0, 0, 0, 0) > 0: raise RuntimeError('LEAK process')
    return x
