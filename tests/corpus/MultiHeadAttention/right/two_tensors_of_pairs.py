# right: two [2, d, d] tensors: queries and keys, values and output
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Queries and keys in one tensor, values and the output map in another."""

    def __init__(self, config):
        super().__init__()
        d, self.heads = config.hidden_size, config.num_attention_heads
        self.ask = nn.Parameter(torch.empty(2, d, d).normal_(std=0.1))
        self.ask_bias = nn.Parameter(torch.zeros(2, d))
        self.tell = nn.Parameter(torch.empty(2, d, d).normal_(std=0.1))
        self.tell_bias = nn.Parameter(torch.zeros(2, d))

    def forward(self, hidden_state, mask=None):
        b, s, d = hidden_state.shape
        q, k = torch.einsum("bse,tde->tbsd", hidden_state, self.ask) + self.ask_bias[:, None, None]
        v = hidden_state @ self.tell[0].T + self.tell_bias[0]
        q, k, v = (t.view(b, s, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, float("-inf"))
        context = (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, s, d)
        return context @ self.tell[1].T + self.tell_bias[1]
