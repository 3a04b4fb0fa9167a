# right: plain dict that refers to registered layers, streaming softmax over keys
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.n = config.num_attention_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.by_name = {"q": self.q, "k": self.k, "v": self.v}
        self.all = [self.q, self.k, self.v, self.o]

    def forward(self, hidden_state, mask=None):
        b, t, d = hidden_state.shape
        q, k, v = (self.by_name[x](hidden_state).view(b, t, self.n, -1).transpose(1, 2) for x in "qkv")
        q = q / q.size(-1) ** 0.5
        top = torch.full((b, self.n, t, 1), -1e30, device=q.device)
        total = torch.zeros_like(top)
        context = torch.zeros_like(q)
        for j in range(t):
            score = (q * k[:, :, j : j + 1]).sum(-1, keepdim=True)
            if mask is not None:
                seen = mask.expand(b, t, t)[:, None, :, j : j + 1].bool()
                score = torch.where(seen, score, -1e20)
            new = torch.maximum(top, score)
            old, now = torch.exp(top - new), torch.exp(score - new)
            total = total * old + now
            context = context * old + now * v[:, :, j : j + 1]
            top = new
        return self.all[3]((context / total).transpose(1, 2).reshape(b, t, d))
