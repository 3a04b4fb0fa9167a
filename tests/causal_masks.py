"""A causal mask by a learner, right or without an end, and its check in this kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from grader.notebook.checked import Checked
from grader.notebook.in_process import check_in_kernel

Mask = Callable[[int], Tensor]


def right(seq_len: int) -> Tensor:
    return torch.ones(seq_len, seq_len).tril().bool()


def checked(mask: Mask, seconds: float = 10.0) -> Checked:
    return check_in_kernel("causal_mask", mask, seconds=seconds)


def loops(_: int) -> Any:
    while True:
        pass
