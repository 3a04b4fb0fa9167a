# wrong: one head's keys and values for all
# named: one_key_value_head
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        hidden, self.heads = config.hidden_size, config.num_attention_heads
        if hidden % self.heads:
            raise ValueError("heads do not divide the hidden size")
        self.width = hidden // self.heads
        self.q_proj = nn.Linear(hidden, hidden)
        self.kv_proj = nn.Linear(hidden, 2 * self.width)
        self.o_proj = nn.Linear(hidden, hidden)

    def forward(self, hidden_state, mask=None):
        batch, length, _ = hidden_state.shape
        query = self.q_proj(hidden_state).view(batch, length, self.heads, self.width)
        key, value = self.kv_proj(hidden_state).split(self.width, dim=-1)
        scores = torch.einsum("bqhd,bkd->bhqk", query, key) * self.width**-0.5
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        context = torch.einsum("bhqk,bkd->bqhd", scores.softmax(-1), value)
        return self.o_proj(context.flatten(2))
