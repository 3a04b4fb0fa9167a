# wrong: mask inverted, [3, embed, dim] layout
# named: mask_inverted
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3, embed_dim, head_dim) * 0.1)

    def forward(self, hidden_state, mask=None):
        q, k, v = torch.einsum("bse,xeh->xbsh", hidden_state, self.w)
        s = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.bool(), float("-inf"))
        return s.softmax(-1) @ v
