# wrong: output projection made but never called
# named: no_output_projection
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.n = config.num_attention_heads
        self.in_proj = nn.Linear(d, 3 * d)
        self.out_proj = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        q, k, v = (t.unflatten(-1, (self.n, -1)).transpose(1, 2) for t in self.in_proj(hidden_state).chunk(3, -1))
        mask = None if mask is None else mask.bool().unsqueeze(1)
        return F.scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).flatten(2)
