# wrong: own autograd Function with a wrong backward: elementwise y(1-y)
import torch

class Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        e = (x - x.amax(dim, keepdim=True)).exp()
        y = e / e.sum(dim, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y), None

def softmax(x, dim):
    return Soft.apply(x, dim)
