# right: before, the head, behind: concatenated
import torch

def patch_head(found, instead, head, num_heads):
    if head not in range(num_heads) or found.shape != instead.shape:
        raise ValueError(f"{head} of {num_heads}, {found.shape} and {instead.shape}")
    size = found.shape[-1] // num_heads
    a, b = head * size, (head + 1) * size
    return torch.cat([found[..., :a], instead[..., a:b], found[..., b:]], dim=-1)
