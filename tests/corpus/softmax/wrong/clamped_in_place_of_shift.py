# wrong: clamp to 50 in place of a shift, in jit
# named: clamped
import torch
@torch.jit.script
def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    e = torch.exp(torch.clamp(x, -50.0, 50.0))
    return e / e.sum(dim, keepdim=True)
