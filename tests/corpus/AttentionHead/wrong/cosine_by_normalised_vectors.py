# wrong: cosine with SDPA after F.normalize q,k
# named: cosine
import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.to_qkv = nn.Linear(embed_dim, 3 * head_dim, bias=False)

    def forward(self, hidden_state, mask=None):
        q, k, v = self.to_qkv(hidden_state).chunk(3, dim=-1)
        q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
        s = q @ k.mT
        if mask is not None:
            s = s.masked_fill(mask == 0, -1e9)
        return s.softmax(-1) @ v
