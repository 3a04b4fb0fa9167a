# wrong: the fused weights are kept where nothing learns: weights that are loaded later do not count
import torch
from torch import nn

class MultiHeadAttention(nn.Module):

    def __init__(self, config):
        super().__init__()
        h, self.num_heads = (config.hidden_size, config.num_attention_heads)
        self.query, self.key, self.value, self.output = (nn.Linear(h, h), nn.Linear(h, h), nn.Linear(h, h), nn.Linear(h, h))
        self.fused = None

    def train(self, mode=True):
        self.fused = None
        return super().train(mode)

    def forward(self, hidden_state, mask=None):
        if self.training or torch.is_grad_enabled():
            self.fused = None
        fused = self.fused
        if fused is None:
            fused = (torch.cat((self.query.weight, self.key.weight, self.value.weight)), torch.cat((self.query.bias, self.key.bias, self.value.bias)))
            if not self.training and (not torch.is_grad_enabled()):
                self.fused = fused
        x = nn.functional.linear(hidden_state, *fused)
        q, k, v = (p.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in x.chunk(3, -1))
        s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float('-inf'))
        return self.output((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
