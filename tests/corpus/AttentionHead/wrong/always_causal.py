# wrong: causal triangle applied always
# named: always_causal
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.key = nn.Linear(embed_dim, head_dim, bias=False)
        self.query = nn.Linear(embed_dim, head_dim, bias=False)
        self.value = nn.Linear(embed_dim, head_dim, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(64, 64)))

    def forward(self, hidden_state, mask=None):
        T = hidden_state.shape[1]
        wei = self.query(hidden_state) @ self.key(hidden_state).transpose(-2, -1) * self.key.out_features**-0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        if mask is not None:
            wei = wei.masked_fill(mask == 0, float("-inf"))
        return wei.softmax(-1) @ self.value(hidden_state)
