# right: the loss of chapter 08
from kit.earlier import cross_entropy
from torch import Tensor


def next_token_loss(logits: Tensor, input_ids: Tensor) -> Tensor:
    vocab = logits.shape[-1]
    return cross_entropy(logits[:, :-1, :].reshape(-1, vocab), input_ids[:, 1:].reshape(-1))
