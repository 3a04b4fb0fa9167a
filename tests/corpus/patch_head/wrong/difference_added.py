# wrong: found + mask · (instead − found), which rounds
# named: by_difference
import torch
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not 0 <= head < num_heads:
        raise ValueError("no")
    m = (torch.arange(found.shape[-1]) // (found.shape[-1] // num_heads) == head).float()
    return found + m * (instead - found)
