# right: through split_heads and merge_heads written here
import torch

def split(x, n):
    return x.unflatten(-1, (n, -1)).transpose(1, 2)

def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or head >= num_heads or head < 0:
        raise ValueError("head or shape")
    heads = torch.unbind(split(found, num_heads), dim=1)
    other = split(instead, num_heads)[:, head]
    heads = [other if i == head else one for i, one in enumerate(heads)]
    return torch.stack(heads, dim=1).transpose(1, 2).flatten(2)
