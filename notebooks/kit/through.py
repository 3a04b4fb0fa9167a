"""Sends vectors through blocks one after the other and keeps their size; it shows nothing."""

from collections.abc import Callable, Iterable

from torch import Tensor
from torch.nn import functional as F


def through(blocks: Iterable[Callable[[Tensor], Tensor]], h: Tensor, add: bool) -> Tensor:
    """What comes out behind the last block.

    h:   [batch, seq, hidden]
    add: whether what goes into a block is added to what comes out of it
    """
    for block in blocks:
        new = block(F.layer_norm(h, h.shape[-1:]))
        h = h + new if add else new
    return h
