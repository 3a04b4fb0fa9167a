# wrong: no keepdim on max nor on sum
# named: axis_lost
import torch

def softmax(x, dim):
    m = torch.max(x, dim=dim).values
    e = torch.exp(x - m)
    return e / torch.sum(e, dim=dim)
