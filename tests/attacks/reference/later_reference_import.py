import torch
from kit.earlier import masked_softmax as lent
def softmax(x, dim):
    y = x.movedim(dim, -1)
    return lent(y, torch.ones_like(y)).movedim(-1, dim)
