# right: torch.vmap over the batch
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.to_q = nn.Linear(embed_dim, head_dim, bias=False)
        self.to_k = nn.Linear(embed_dim, head_dim, bias=False)
        self.to_v = nn.Linear(embed_dim, head_dim, bias=False)

    def forward(self, hidden_state, mask=None):
        b, t, _ = hidden_state.shape
        seen = torch.ones(b, t, t, dtype=torch.bool, device=hidden_state.device)
        if mask is not None:
            seen = seen & mask.bool()

        def one(x, m):
            s = self.to_q(x) @ self.to_k(x).T / self.to_q.out_features**0.5
            return torch.softmax(torch.where(m, s, float("-inf")), -1) @ self.to_v(x)

        return torch.vmap(one)(hidden_state, seen)
