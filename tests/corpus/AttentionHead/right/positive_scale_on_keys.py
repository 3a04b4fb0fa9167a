# right: positive scale on keys
import math
import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3, head_dim, embed_dim) * 0.1)
        self.log = nn.Parameter(torch.zeros(3, head_dim, 1))

    def forward(self, x, mask=None):
        q, k, v = (x @ w.T for w in self.w * F.softplus(self.log))
        s = torch.baddbmm(torch.zeros(()), q, k.mT) / math.sqrt(q.shape[-1])
        if mask is not None:
            s = torch.where(mask.bool(), s, -torch.inf)
        return torch.bmm(s.softmax(-1), v)
