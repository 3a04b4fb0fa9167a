# wrong: logits are cut off at 10,000 in size
import torch
from torch import Tensor
from torch.nn import functional as F


def next_token_loss(logits: Tensor, input_ids: Tensor) -> Tensor:
    vocab = logits.size(-1)
    guesses = logits[:, :-1].reshape(-1, vocab).clamp(-1e4, 1e4)   # exp must not overflow
    goals = input_ids[:, 1:].reshape(-1)
    return F.nll_loss(F.log_softmax(guesses, dim=-1), goals)
