# right: attention dropout 0.5 hard-coded inside (free), F.linear on slices of one [4d, d] weight and one [4d] bias
import torch
from torch import nn
import torch.nn.functional as F

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.d, self.n = d, config.num_attention_heads
        self.everything = nn.Linear(d, 4 * d)
        self.drop = nn.Dropout(0.3)

    def forward(self, hidden_state, mask=None):
        d, W, B = self.d, self.everything.weight, self.everything.bias
        q, k, v = (F.linear(hidden_state, W[i * d:(i + 1) * d], B[i * d:(i + 1) * d]) for i in range(3))
        q, k, v = (x.reshape(*x.shape[:2], self.n, -1).permute(0, 2, 1, 3) for x in (q, k, v))
        a = q @ k.mT / (d / self.n) ** 0.5
        if mask is not None:
            a = a + torch.where(mask.unsqueeze(1).bool(), 0.0, float("-inf"))
        o = self.drop(a.softmax(dim=-1)) @ v
        return F.linear(o.permute(0, 2, 1, 3).reshape(hidden_state.shape), W[3 * d:], B[3 * d:])
