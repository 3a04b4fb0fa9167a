# wrong: queries from the key layer, raw matrices
# named: queries_from_key_projection, keys_from_query_projection, keys_with_keys
import torch
from torch import nn

class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.wq = nn.Parameter(torch.randn(embed_dim, head_dim))
        self.wk = nn.Parameter(torch.randn(embed_dim, head_dim))
        self.wv = nn.Parameter(torch.randn(embed_dim, head_dim))

    def forward(self, hidden_state, mask=None):
        q, k, v = hidden_state @ self.wk, hidden_state @ self.wk, hidden_state @ self.wv
        a = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        return a.softmax(-1) @ v
