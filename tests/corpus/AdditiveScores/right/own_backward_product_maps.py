# right: an autograd Function with a backward by hand; W and U are products, v a row with a bias of its own
import torch
from torch import nn


class TanhOfSums(torch.autograd.Function):
    """a [b, q, h], c [b, k, h], v [h] → Σₕ vₕ tanh(aₕ + cₕ)"""

    @staticmethod
    def forward(ctx, a, c, v):
        t = torch.tanh(a.unsqueeze(2) + c.unsqueeze(1))
        ctx.save_for_backward(t, v)
        return t @ v

    @staticmethod
    def backward(ctx, grad):
        t, v = ctx.saved_tensors
        inner = grad.unsqueeze(-1) * (1 - t * t) * v
        return inner.sum(2), inner.sum(1), torch.einsum("bqk,bqkh->h", grad, t)


class Product(nn.Module):
    def __init__(self, out, inside):
        super().__init__()
        rank = max(out, inside)
        self.right = nn.Parameter(torch.randn(rank, inside) / inside**0.5)
        self.left = nn.Parameter(torch.randn(out, rank) / rank**0.5)

    def forward(self, x):
        return x @ (self.left @ self.right).T


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.U = Product(hidden_dim, key_dim)
        self.W = Product(hidden_dim, query_dim)
        self.v = nn.Linear(hidden_dim, 1)
        self.b = nn.Parameter(torch.zeros(hidden_dim))

    def forward(self, query, key):
        return TanhOfSums.apply(self.W(query) + self.b, self.U(key), self.v.weight[0]) + self.v.bias
