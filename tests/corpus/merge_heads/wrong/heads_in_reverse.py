import torch
def merge_heads(x):
    return torch.cat(list(x.unbind(1))[::-1], dim=-1)
