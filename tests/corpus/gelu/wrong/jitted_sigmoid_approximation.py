# wrong: quick approximation with logistic of 1.702 in place of the erf, jitted
# named: gelu_sigmoid
import torch
@torch.jit.script
def quick(x: torch.Tensor) -> torch.Tensor:
    return x / (1.0 + torch.exp(-1.702 * x))
def gelu(x):
    return quick(x)
