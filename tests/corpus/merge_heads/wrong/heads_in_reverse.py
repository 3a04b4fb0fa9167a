# wrong: cat of heads in reverse order
# named: reversed
import torch
def merge_heads(x):
    return torch.cat(list(x.unbind(1))[::-1], dim=-1)
