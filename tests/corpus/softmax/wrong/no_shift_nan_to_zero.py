# wrong: no shift, and the nan that comes of it made 0
# named: no_shift_to_zero
import torch

def softmax(x, dim):
    e = x.exp()
    return torch.nan_to_num(e / e.sum(dim, keepdim=True))
