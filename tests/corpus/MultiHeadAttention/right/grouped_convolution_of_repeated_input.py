# right: a grouped convolution over the input three times, features before tokens
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n, self.hidden = config.num_attention_heads, config.hidden_size
        if self.hidden % self.n:
            raise ValueError(self.n)
        self.mix = nn.Conv2d(self.hidden, self.hidden, (1, 1))
        self.into = nn.Conv1d(3 * self.hidden, 3 * self.hidden, 1, groups=3)

    def forward(self, hidden_state, mask=None):
        b, t, c = hidden_state.shape
        d = c // self.n
        x = hidden_state.permute(0, 2, 1).repeat(1, 3, 1)                 # [b, 3c, t]
        q, k, v = self.into(x).reshape(b, 3, self.n, d, t).unbind(1)      # [b, n, d, t]
        scores = k.transpose(-1, -2) @ q * d**-0.5                        # [b, n, key, query]
        if mask is not None:
            hidden = (mask == 0).expand(-1, t, t).transpose(1, 2).unsqueeze(1)
            scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
        context = v @ scores.softmax(dim=-2)                              # [b, n, d, query]
        return self.mix(context.reshape(b, c, t, 1)).squeeze(-1).transpose(1, 2)
