def softmax(x, dim):
    return x.detach().numpy()
