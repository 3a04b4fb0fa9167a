import torch

def softmax(x, dim):
    x -= torch.max(x, dim=dim, keepdim=True).values
    return x.exp() / x.exp().sum(dim=dim, keepdim=True)
