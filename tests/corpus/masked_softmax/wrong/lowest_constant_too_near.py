# wrong: 30000 is taken off hidden scores, which may be 40000 above the others
import torch
from torch import Tensor

LOWEST = -3e4


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    penalty = (1.0 - mask.to(scores.dtype)) * LOWEST
    logits = scores + penalty
    logits = logits - logits.detach().max(dim=-1, keepdim=True).values
    numer = torch.exp(logits)
    return numer / numer.sum(dim=-1, keepdim=True)
