# right: in_proj_weight and in_proj_bias of its own, out_proj, tokens first
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed_dim, self.num_heads = config.hidden_size, config.num_attention_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * self.embed_dim, self.embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * self.embed_dim))
        nn.init.xavier_uniform_(self.in_proj_weight)
        self.out_proj = nn.Linear(self.embed_dim, self.embed_dim)

    def part(self, x, i):
        rows = slice(i * self.embed_dim, (i + 1) * self.embed_dim)
        return F.linear(x, self.in_proj_weight[rows], self.in_proj_bias[rows])

    def forward(self, hidden_state, mask=None):
        x = hidden_state.transpose(0, 1)
        s, b, d = x.shape
        q = self.part(x, 0).contiguous().view(s, b * self.num_heads, -1).transpose(0, 1)
        k = self.part(x, 1).contiguous().view(s, b * self.num_heads, -1).transpose(0, 1)
        v = self.part(x, 2).contiguous().view(s, b * self.num_heads, -1).transpose(0, 1)
        w = torch.bmm(q, k.transpose(1, 2)) * (d // self.num_heads) ** -0.5
        if mask is not None:
            w = w.view(b, self.num_heads, s, s).masked_fill(mask.unsqueeze(1) == 0, float("-inf")).view(-1, s, s)
        y = torch.bmm(w.softmax(-1), v).transpose(0, 1).contiguous().view(s, b, d)
        return self.out_proj(y).transpose(0, 1)
