# right: it refuses with a kind of ValueError of its own
import torch
from torch import Tensor


class NoSuchPatch(ValueError):
    """A patch that would change nothing, or something else."""


def patch_head(found: Tensor, instead: Tensor, head: int, num_heads: int) -> Tensor:
    if not 0 <= head < num_heads:
        raise NoSuchPatch(f"head {head} of {num_heads}")
    if list(found.shape) != list(instead.shape):
        raise NoSuchPatch(f"{list(found.shape)} is not {list(instead.shape)}")
    owner = torch.arange(found.shape[-1], device=found.device) // (found.shape[-1] // num_heads)
    return torch.where(owner == head, instead, found)
