# right: scripted with constants at module level
import torch
from typing import Final
SQRT1_2: Final[float] = 0.70710678118654752440
@torch.jit.script
def gelu(x: torch.Tensor) -> torch.Tensor:
    return 0.5 * x * (1.0 + torch.erf(x * 0.70710678118654752440))
