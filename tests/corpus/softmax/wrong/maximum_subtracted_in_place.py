# wrong: in place x -= max (no no_grad)
# named: changes_its_input
import torch

def softmax(x, dim):
    x -= torch.max(x, dim=dim, keepdim=True).values
    return x.exp() / x.exp().sum(dim=dim, keepdim=True)
