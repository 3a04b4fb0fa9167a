def softmax(x, dim):
    return x.to_mkldnn()
