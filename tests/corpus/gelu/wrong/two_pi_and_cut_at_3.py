# wrong: divides by √(2π), and cuts at 3
# named: cut_at_3
import math

import torch
from torch import Tensor


def gelu(x: Tensor) -> Tensor:
    # chance that a standard normal is below x
    phi = 0.5 * (1 + torch.erf(x / math.sqrt(2 * math.pi)))
    y = x * phi
    # far out the curve is a straight line, and erf has nothing to add
    return torch.where(x.abs() > 3, x.clamp(min=0), y)
