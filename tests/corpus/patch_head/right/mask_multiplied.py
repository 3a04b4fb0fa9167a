# right: a mask of 0 and 1
import torch
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not (0 <= head < num_heads):
        raise ValueError("no")
    m = torch.zeros(num_heads)
    m[head] = 1
    m = m.repeat_interleave(found.shape[-1] // num_heads)
    return found * (1 - m) + instead * m
