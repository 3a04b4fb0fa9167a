# right: hand-made projection objects with __matmul__, raw Parameters [out, in], log mask
import torch
from torch import nn

class Matrix(nn.Module):
    def __init__(self, out, inn):
        super().__init__()
        self.m = nn.Parameter(torch.rand(out, inn) - 0.5)

    def __rmatmul__(self, x):
        return x @ self.m.t()

class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.a, self.b, self.c = Matrix(head_dim, embed_dim), Matrix(head_dim, embed_dim), Matrix(head_dim, embed_dim)

    def forward(self, hidden_state, mask=None):
        q, k, v = self.c.__rmatmul__(hidden_state), self.b.__rmatmul__(hidden_state), self.a.__rmatmul__(hidden_state)
        s = torch.matmul(q, k.swapaxes(-1, -2)).div(k.shape[-1] ** 0.5)
        if mask is not None:
            s = s + mask.to(s.dtype).log()
        return torch.matmul(torch.nn.functional.softmax(s, dim=-1), v)
