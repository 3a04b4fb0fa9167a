# right: misleading names: the layer called query makes the values
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.output = nn.Linear(d, d)
        self.query = nn.Linear(d, d)
        self.value = nn.Linear(d, d)
        self.key = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        b, t, d = hidden_state.shape
        shape = (b, t, self.h, d // self.h)
        one = self.output(hidden_state).view(shape).transpose(1, 2)
        two = self.value(hidden_state).view(shape).transpose(1, 2)
        three = self.query(hidden_state).view(shape).transpose(1, 2)
        s = torch.matmul(one, two.transpose(2, 3)) / (d // self.h) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask[:, None] == 0, -1e30)
        return self.key(torch.matmul(s.softmax(-1), three).transpose(1, 2).reshape(b, t, d))
