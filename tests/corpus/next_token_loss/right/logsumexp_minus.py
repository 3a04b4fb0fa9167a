# right: logsumexp minus the right score, with take_along_dim
import torch
from torch import Tensor


def next_token_loss(logits: Tensor, input_ids: Tensor) -> Tensor:
    steps = logits.narrow(1, 0, logits.size(1) - 1)
    wanted = input_ids.narrow(1, 1, input_ids.size(1) - 1)
    right = torch.take_along_dim(steps, wanted[..., None], dim=2)[..., 0]
    return (steps.logsumexp(2) - right).mean()
