# wrong: global max, keepdim missing in the sum
# named: axis_lost, global_max
import torch

def softmax(x, dim):
    e = torch.exp(x - x.max())
    return e / e.sum(dim=dim)
