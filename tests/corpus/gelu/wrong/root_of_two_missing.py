# wrong: erf without the root inside a jit script
# named: gelu_without_root
import torch
@torch.jit.script
def gelu(x: torch.Tensor) -> torch.Tensor:
    return 0.5 * x * (1.0 + torch.erf(x))
