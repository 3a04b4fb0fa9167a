# right: nn.Linear with kv interleaved by head, loop over heads, float64 softmax
import torch
from torch import nn

class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.kv = nn.Linear(d, 2 * d)
        self.q = nn.Linear(d, d, bias=False)
        self.o = nn.Linear(d, d)

    def forward(self, hidden_state, memory, mask=None):
        k, v = self.kv(memory).unflatten(-1, (self.h, 2, -1)).unbind(-2)
        q = self.q(hidden_state).unflatten(-1, (self.h, -1))
        outs = []
        for i in range(self.h):
            a = torch.einsum("bqd,bkd->bqk", q[:, :, i], k[:, :, i]) / q.shape[-1] ** 0.5
            if mask is not None:
                a = a.masked_fill(mask == 0, float("-inf"))
            outs.append(a.double().softmax(-1).to(v.dtype) @ v[:, :, i])
        return self.o(torch.cat(outs, dim=-1))
