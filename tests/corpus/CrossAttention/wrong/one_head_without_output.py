# wrong: one head of the whole width, and no projection of what it finds
# named: one_head_and_one_map
import math

from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config.hidden_size
        self.ask, self.answer, self.content = (nn.Linear(width, width) for _ in range(3))

    def forward(self, hidden_state, memory, mask=None):
        scores = self.ask(hidden_state) @ self.answer(memory).mT / math.sqrt(memory.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return scores.softmax(dim=-1) @ self.content(memory)
