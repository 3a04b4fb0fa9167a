# wrong: streaming softmax without rescaling the running sum
import torch
from torch import nn

class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.to_k = nn.Linear(embed_dim, head_dim)
        self.to_v = nn.Linear(embed_dim, head_dim)
        self.to_q = nn.Linear(embed_dim, head_dim)

    def forward(self, hidden_state, mask=None):
        q, k, v = self.to_q(hidden_state), self.to_k(hidden_state), self.to_v(hidden_state)
        b, s, d = q.shape
        top = q.new_full((b, s, 1), -1e30)
        num, den = torch.zeros_like(q), torch.zeros_like(top)
        seen = torch.ones(b, s, s, dtype=torch.bool) if mask is None else mask.bool().expand(b, s, s)
        for j in range(s):
            e = (q * k[:, j:j + 1]).sum(-1, keepdim=True) / d ** 0.5
            top = torch.maximum(top, e)
            w = torch.exp(e - top) * seen[:, :, j:j + 1]
            num, den = num + w * v[:, j:j + 1], den + w
        return num / den
