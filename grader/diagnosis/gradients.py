"""Gradients for a cotangent, of the grader's own tensors; knows no check."""

from collections.abc import Sequence

import torch
from torch import Tensor


def gradients_of(
    value: Tensor, leaves: Sequence[Tensor], cotangent: Tensor
) -> tuple[Tensor | None, ...]:
    """What autograd gives for a value and its cotangent of the same shape, bit for bit.

    As the gradients of one number: to compare two shapes, PyTorch would load a computer algebra
    system, which takes a tenth of a run's start. Raises ValueError for shapes that differ.
    """
    if value.shape != cotangent.shape:
        raise ValueError(f"a cotangent of {list(cotangent.shape)} for {list(value.shape)}")
    with torch.enable_grad():
        return torch.autograd.grad((value * cotangent).sum(), leaves, allow_unused=True)
