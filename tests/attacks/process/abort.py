import os
def softmax(x, dim):
    os.abort()
