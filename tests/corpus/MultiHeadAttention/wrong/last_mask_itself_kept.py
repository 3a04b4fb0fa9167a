# wrong: the mask of the last call is kept itself, no copy: changed in place, it still looks like the old one
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, self.heads = config.hidden_size, config.num_attention_heads
        if width % self.heads:
            raise ValueError(f"{width} features for {self.heads} heads")
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.last = None

    def forward(self, hidden_state, mask=None):
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(hidden_state).chunk(3, -1))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            if self.last is None or self.last[0].shape != mask.shape or not torch.equal(self.last[0], mask):
                self.last = mask, torch.zeros(mask.shape).masked_fill(mask == 0, -torch.inf)
            scores = scores + self.last[1].unsqueeze(-3)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
