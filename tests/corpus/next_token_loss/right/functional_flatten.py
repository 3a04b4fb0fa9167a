# right: F.cross_entropy over all guesses
import torch
from torch import Tensor
from torch.nn import functional as F


def next_token_loss(logits: Tensor, input_ids: Tensor) -> Tensor:
    guesses = logits[:, :-1].flatten(0, 1)
    goals = input_ids[:, 1:].flatten()
    return F.cross_entropy(guesses, goals)
