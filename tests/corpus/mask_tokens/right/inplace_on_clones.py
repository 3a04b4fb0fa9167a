# right: in-place random fillers and masked_scatter_ on own clones
import torch
from torch import Tensor


def mask_tokens(input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator,
                rate: float = 0.15) -> tuple[Tensor, Tensor]:
    assert input_ids.dim() == 2 and 0 <= rate <= 1
    coin = torch.empty(input_ids.shape).uniform_(0, 1, generator=generator)
    die = torch.empty(input_ids.shape).uniform_(0, 1, generator=generator)
    words = torch.empty_like(input_ids).random_(0, len(vocab), generator=generator)
    open_ = coin.lt(rate)
    for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"):
        open_.logical_and_(input_ids.ne(vocab[name]))
    masked = input_ids.clone()
    masked.masked_fill_(open_ & die.lt(0.8), vocab["[MASK]"])
    swap = open_ & die.ge(0.8) & die.lt(0.9)
    masked.masked_scatter_(swap, words[swap])
    labels = input_ids.clone().masked_fill_(open_.logical_not(), -100)
    return masked, labels
