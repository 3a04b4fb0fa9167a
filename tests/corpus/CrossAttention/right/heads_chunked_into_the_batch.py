# right: matrices that are multiplied from the right, and heads cut off and laid into the batch
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, self.heads = config.hidden_size, config.num_attention_heads
        self.ask, self.tell, self.say = (
            nn.Parameter(torch.randn(width, width) / width**0.5) for _ in range(3)
        )
        self.output = nn.Linear(width, width)

    def forward(self, hidden_state, memory, mask=None):
        def cut(x):
            return torch.cat(x.chunk(self.heads, dim=-1), dim=0)

        asked, told, said = cut(hidden_state @ self.ask), cut(memory @ self.tell), cut(memory @ self.say)
        scores = asked @ told.mT / asked.shape[-1] ** 0.5
        if mask is not None:
            hidden = mask.expand(len(memory), -1, -1).repeat(self.heads, 1, 1) == 0
            scores = scores.masked_fill(hidden, float("-inf"))
        found = scores.softmax(-1) @ said
        return self.output(torch.cat(found.chunk(self.heads, dim=0), dim=-1))
