import torch

def softmax(x, dim):
    e = torch.exp(x - x.max())
    return e / e.sum(dim=dim)
