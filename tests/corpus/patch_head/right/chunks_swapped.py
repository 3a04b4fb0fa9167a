# right: chunks in a list, one of them exchanged
import torch
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape: raise ValueError("not the same shape")
    if not (0 <= head <= num_heads - 1): raise ValueError("head")
    parts = list(found.chunk(num_heads, dim=-1))
    parts[head] = instead.chunk(num_heads, dim=-1)[head]
    return torch.cat(parts, dim=-1)
