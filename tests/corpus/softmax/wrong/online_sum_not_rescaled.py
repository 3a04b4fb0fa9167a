# wrong: online softmax where the running sum is not rescaled
import torch
def softmax(x, dim):
    y = x.movedim(dim, 0)
    m = torch.full_like(y[0], float("-inf"))
    s = torch.zeros_like(y[0])
    for row in y:
        m = torch.maximum(m, row)
        s = s + torch.exp(row - m)
    return (torch.exp(y - m) / s).movedim(0, dim)
