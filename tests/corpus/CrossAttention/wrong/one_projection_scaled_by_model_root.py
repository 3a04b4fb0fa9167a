# wrong: one projection for keys and values, scaled by the root of hidden_size
# named: values_from_key_projection, scaled_by_model_root
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config.hidden_size
        self.num_heads = config.num_attention_heads
        self.query = nn.Linear(size, size)
        self.key_value = nn.Linear(size, size)
        self.output = nn.Linear(size, size)

    def forward(self, hidden_state, memory, mask=None):
        q = split_heads(self.query(hidden_state), self.num_heads)
        k = v = split_heads(self.key_value(memory), self.num_heads)
        d_k = hidden_state.size(-1)
        scores = q @ k.transpose(-1, -2) / d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.output(merge_heads(torch.softmax(scores, dim=-1) @ v))
