# right: torch.where over the feature's head
import torch
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not 0 <= head < num_heads:
        raise ValueError("cannot patch this")
    owner = torch.arange(found.shape[-1]) // (found.shape[-1] // num_heads)
    return torch.where(owner == head, instead, found)
