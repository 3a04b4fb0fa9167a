# coding: zlib_codec
def softmax(x, dim):
    return x
