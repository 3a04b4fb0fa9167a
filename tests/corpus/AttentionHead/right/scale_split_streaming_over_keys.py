# right: scale folded half into the query and half into the key, streaming over keys
import torch
from torch import nn

class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.to_k = nn.Linear(embed_dim, head_dim, bias=False)
        self.to_v = nn.Linear(embed_dim, head_dim, bias=True)
        self.to_q = nn.Linear(embed_dim, head_dim, bias=True)
        self.quarter = head_dim ** -0.25

    def forward(self, hidden_state, mask=None):
        q = self.to_q(hidden_state) * self.quarter
        k = self.to_k(hidden_state) * self.quarter
        v = self.to_v(hidden_state)
        b, s, _ = hidden_state.shape
        top = hidden_state.new_full((b, s, 1), -1e30)
        num, den = torch.zeros_like(q), torch.zeros_like(top)
        seen = torch.ones(b, s, s, dtype=torch.bool, device=q.device) if mask is None else mask.bool().expand(b, s, s)
        for j in range(s):
            e = (q * k[:, j:j + 1]).sum(-1, keepdim=True)
            e = torch.where(seen[:, :, j:j + 1], e, torch.full_like(e, -1e30))
            new = torch.maximum(top, e)
            old = torch.exp(top - new)
            w = torch.exp(e - new) * seen[:, :, j:j + 1]
            num, den, top = num * old + w * v[:, j:j + 1], den * old + w, new
        return num / den
