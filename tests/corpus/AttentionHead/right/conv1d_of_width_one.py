# right: nn.Conv1d with kernel size 1 over transposed input
import torch
from torch import nn
from torch.nn import functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.f, self.g, self.h = (nn.Conv1d(embed_dim, head_dim, 1) for _ in range(3))

    def forward(self, hidden_state, mask=None):
        x = hidden_state.transpose(1, 2)
        f, g, h = self.f(x), self.g(x), self.h(x)
        logits = torch.bmm(g.transpose(1, 2), f) / f.shape[1] ** 0.5
        if mask is not None:
            logits = logits.masked_fill(mask < 1 if mask.dtype != torch.bool else ~mask, float("-inf"))
        beta = F.softmax(logits, dim=-1)
        return torch.bmm(h, beta.transpose(1, 2)).transpose(1, 2)
