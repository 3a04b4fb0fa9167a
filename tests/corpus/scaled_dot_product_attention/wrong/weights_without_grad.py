# wrong: the weights are computed under no_grad
# named: weights_constant
import math

import torch
from torch import Tensor


@torch.no_grad()  # saves memory
def _weights(query: Tensor, key: Tensor, mask: Tensor | None) -> Tensor:
    logits = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.shape[-1])
    if mask is not None:
        logits = torch.where(mask.bool(), logits, torch.tensor(float("-inf"), dtype=logits.dtype, device=logits.device))
    logits = logits - logits.max(dim=-1, keepdim=True).values
    p = torch.exp(logits)
    return p / p.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> Tensor:
    return torch.matmul(_weights(query, key, mask), value)
