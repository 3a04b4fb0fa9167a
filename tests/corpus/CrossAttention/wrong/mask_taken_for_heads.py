# wrong: a mask for as many sentences as heads is taken for one of the heads
import torch


def scaled_dot_product_attention(query, key, value, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", query, key).div(query.shape[-1] ** 0.5)
    if mask is not None:
        logits = torch.where(mask.to(torch.bool), logits, -torch.inf)
    stable = logits - logits.max(-1, keepdim=True).values.detach()
    unnormalised = stable.exp()
    out = torch.einsum("...qk,...kv->...qv", unnormalised, value)
    return out / unnormalised.sum(-1, keepdim=True)


def split_heads(x, num_heads):
    width = x.shape[-1] // num_heads
    windows = x.unfold(-1, width, width)  # [batch, seq, heads, head_dim]
    return windows.permute(0, 2, 1, 3)


def merge_heads(x):
    return x.permute(0, 2, 1, 3).flatten(start_dim=2)


from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state, memory, mask=None):
        query = split_heads(self.query(hidden_state), self.heads)
        key = split_heads(self.key(memory), self.heads)
        value = split_heads(self.value(memory), self.heads)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1) if mask.shape[0] == 1 or mask.shape[0] != self.heads else mask
        return self.output(merge_heads(scaled_dot_product_attention(query, key, value, mask)))
