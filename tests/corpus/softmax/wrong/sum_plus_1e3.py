import torch
def softmax(x, dim):
    e = torch.exp(x - torch.amax(x, dim=dim, keepdim=True))
    return e / (e.sum(dim=dim, keepdim=True) + 1e-3)
