# right: two-class recursion through the pairwise differences
import torch
def softmax(x, dim):
    y = x.transpose(dim, -1)
    y = y - y.max(dim=-1, keepdim=True).values
    differences = y.unsqueeze(-2) - y.unsqueeze(-1)
    e = y.exp()
    return torch.div(e, torch.einsum("...z->...", e)[..., None]).transpose(dim, -1)
