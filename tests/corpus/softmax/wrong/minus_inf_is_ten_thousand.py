# wrong: an entry of −inf becomes −10000, which beside lower scores gets the whole weight
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    """exp(x) / sum(exp(x)), shifted by the max of each row."""
    x = torch.nan_to_num(x, neginf=-1e4)  # no -inf - -inf = nan later on
    top = x.amax(dim=dim, keepdim=True)
    powers = (x - top).exp()
    return powers / powers.sum(dim=dim, keepdim=True)
