# wrong: tokens are counted and taken from the left
# named: counted_from_left
import torch
from torch import Tensor


def padding_mask(attention_mask: Tensor) -> Tensor:
    lengths = attention_mask.long().sum(dim=1)
    places = torch.arange(attention_mask.shape[1], device=attention_mask.device)
    return (places < lengths[:, None])[:, None, :]
