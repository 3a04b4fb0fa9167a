# wrong: numpy idiom: max without the axis
# named: global_max
import torch
def softmax(x, dim):
    def stable(z):
        return torch.exp(torch.sub(z, torch.max(z)))
    top = stable(x)
    return torch.true_divide(top, torch.sum(top, dim=dim, keepdim=True))
