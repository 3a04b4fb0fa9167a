import torch
def softmax(x, dim):
    y = x.movedim(dim, -1)
    return masked_softmax(y, torch.ones_like(y)).movedim(-1, dim)
