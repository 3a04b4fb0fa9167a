# right: nn.Bilinear for q.k, value linear
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q = nn.Linear(embed_dim, head_dim)
        self.k = nn.Linear(embed_dim, head_dim)
        self.v = nn.Linear(embed_dim, head_dim)
        self.dot = nn.Bilinear(head_dim, head_dim, 1, bias=False)
        with torch.no_grad():
            self.dot.weight.copy_(torch.eye(head_dim)[None] / head_dim ** 0.5)
        self.dot.weight.requires_grad_(False)

    def forward(self, hidden_state, mask=None):
        B, T, _ = hidden_state.shape
        q, k, v = self.q(hidden_state), self.k(hidden_state), self.v(hidden_state)
        qq = q[:, :, None, :].expand(B, T, T, -1).contiguous()
        kk = k[:, None, :, :].expand(B, T, T, -1).contiguous()
        scores = self.dot(qq, kk)[..., 0]
        if mask is not None:
            scores = scores + (1.0 - mask.to(scores.dtype)) * -1e9
        return scores.softmax(dim=-1).bmm(v)
