# wrong: all numbers of a sentence's mask are laid in one row, which fits where all queries share a mask
import math

from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, self.heads = config.hidden_size, config.num_attention_heads
        self.ask, self.answer, self.content, self.out = (nn.Linear(width, width) for _ in range(4))

    def cut(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, hidden_state, memory, mask=None):
        asked, answered, content = self.cut(self.ask(hidden_state)), self.cut(self.answer(memory)), self.cut(self.content(memory))
        scores = asked @ answered.mT / math.sqrt(asked.shape[-1])
        if mask is not None:
            row = mask.flatten(1)[:, None, None]
            scores = scores.masked_fill(row == 0, -1e9)
        found = scores.softmax(dim=-1) @ content
        return self.out(found.transpose(1, 2).flatten(2))
