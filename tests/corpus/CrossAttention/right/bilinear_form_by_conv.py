# right: bilinear form by conv
import math
import torch
from torch import nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.ask = nn.Conv1d(d, d, 1)
        self.tell = nn.Conv1d(d, 2 * d, 1, bias=False)
        self.out = nn.ParameterDict({"map": nn.Parameter(torch.randn(self.h, d // self.h, d) * 0.1), "shift": nn.Parameter(torch.zeros(d))})

    def forward(self, hidden_state, memory, memory_mask=None):
        b, n, d = hidden_state.shape
        q = self.ask(hidden_state.mT).view(b, self.h, d // self.h, n)
        k, v = self.tell(memory.mT).view(b, 2, self.h, d // self.h, -1).unbind(1)
        s = torch.einsum("bhcq,bhck->bhqk", q, k) / math.sqrt(d // self.h)
        if memory_mask is not None:
            s = s.masked_fill(memory_mask.unsqueeze(1) == 0, -1e9)
        y = torch.einsum("bhqk,bhck->bhqc", torch.softmax(s, -1), v)
        return torch.einsum("bhqc,hcd->bqd", y, self.out["map"]) + self.out["shift"]
