# right: the gradient of logsumexp, by torch.func.grad
import torch
from torch import nn
from torch.nn import functional as F
def softmax(x, dim):
    return torch.func.grad(lambda t: t.logsumexp(dim).sum())(x)
