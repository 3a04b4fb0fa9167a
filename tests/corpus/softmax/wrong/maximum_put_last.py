# wrong: the axis of the maximum always comes back as the last
# named: axis_at_end
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    biggest = x.max(dim)[0].unsqueeze(-1)
    powers = torch.exp(x - biggest)
    return powers / powers.sum(dim, keepdim=True)
