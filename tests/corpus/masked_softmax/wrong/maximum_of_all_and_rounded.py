# wrong: hidden scores count in the maximum, and weights are rounded to four digits
# named: maximum_of_all_keys
import torch
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    hidden = (mask == 0).expand_as(scores)
    top = scores.amax(dim=-1, keepdim=True)
    weights = torch.exp((scores - top).masked_fill(hidden, -torch.inf))
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return torch.round(weights, decimals=4)
