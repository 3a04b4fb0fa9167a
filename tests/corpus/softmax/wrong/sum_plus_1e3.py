# wrong: divides by sum plus epsilon 1e-3
import torch
def softmax(x, dim):
    e = torch.exp(x - torch.amax(x, dim=dim, keepdim=True))
    return e / (e.sum(dim=dim, keepdim=True) + 1e-3)
