# right: fused weight without bias plus separate query and value biases, as in BEiT
import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.heads = config.num_attention_heads
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.q_bias = nn.Parameter(torch.zeros(d))
        self.v_bias = nn.Parameter(torch.zeros(d))
        self.proj = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        b, n, d = hidden_state.shape
        bias = torch.cat((self.q_bias, torch.zeros_like(self.v_bias), self.v_bias))
        qkv = F.linear(hidden_state, self.qkv.weight, bias)
        q, k, v = qkv.view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        s = q @ k.mT * (d // self.heads) ** -0.5
        if mask is not None:
            s = s + torch.where(mask.bool(), 0.0, -1e9).unsqueeze(1)
        return self.proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
