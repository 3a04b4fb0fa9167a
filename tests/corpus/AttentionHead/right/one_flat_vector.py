# right: one flat vector holding weights and biases
import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.e, self.h = embed_dim, head_dim
        self.theta = nn.Parameter(torch.randn(3 * head_dim * (embed_dim + 1)) * 0.1)

    def forward(self, hidden_state, mask=None):
        per = self.h * (self.e + 1)
        q, k, v = (F.linear(hidden_state, p[: self.h * self.e].view(self.h, self.e), p[self.h * self.e:]) for p in self.theta.split(per))
        s = q @ k.mT * self.h ** -0.5
        if mask is not None:
            s = s.masked_fill(mask == 0, -1e9)
        return s.softmax(-1) @ v
