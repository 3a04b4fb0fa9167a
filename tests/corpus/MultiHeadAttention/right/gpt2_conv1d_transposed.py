# right: GPT-2-like Conv1D with transposed weight, split in three
import torch
from torch import nn


class Conv1D(nn.Module):
    def __init__(self, nf, nx):
        super().__init__()
        self.nf = nf
        self.weight = nn.Parameter(torch.empty(nx, nf))
        self.bias = nn.Parameter(torch.zeros(nf))
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, x):
        return torch.addmm(self.bias, x.reshape(-1, x.size(-1)), self.weight).view(*x.shape[:-1], self.nf)


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        nx = config.hidden_size
        self.n_head, self.split_size = config.num_attention_heads, nx
        self.c_attn = Conv1D(3 * nx, nx)
        self.c_proj = Conv1D(nx, nx)

    def forward(self, hidden_state, mask=None):
        query, key, value = self.c_attn(hidden_state).split(self.split_size, dim=2)
        heads = lambda x: x.view(*x.shape[:-1], self.n_head, x.size(-1) // self.n_head).permute(0, 2, 1, 3)
        query, key, value = heads(query), heads(key), heads(value)
        w = torch.matmul(query, key.transpose(-1, -2)) / value.size(-1) ** 0.5
        if mask is not None:
            w = torch.where(mask.unsqueeze(1).bool(), w, torch.finfo(w.dtype).min)
        a = torch.matmul(nn.functional.softmax(w, dim=-1), value).permute(0, 2, 1, 3).contiguous()
        return self.c_proj(a.view(*a.shape[:-2], -1))
