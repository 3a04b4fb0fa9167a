# right: as_strided-free: index gather
import torch
def split_heads(x, num_heads):
    b, s, e = x.shape
    hd = e // num_heads
    idx = torch.arange(e).reshape(num_heads, hd)
    return x[:, :, idx].permute(0, 2, 1, 3)
