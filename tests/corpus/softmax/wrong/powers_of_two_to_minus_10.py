# wrong: powers of 2, and exponents that end at −10
# named: base_two
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    peak = x.amax(dim=dim, keepdim=True)
    level = (x - peak).clamp(min=-10.0)  # relative to the peak, never above 0
    power = torch.exp2(level)
    return power / power.sum(dim=dim, keepdim=True)
