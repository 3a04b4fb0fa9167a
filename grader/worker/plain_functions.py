"""Lets functions of Python's be followed step by step while a call is recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch._functorch import apis
from torch._functorch.vmap import _process_batched_inputs
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten


@contextlib.contextmanager
def as_if_plain() -> Iterator[None]:
    """PyTorch's functions of Python ask no mode whether it wants to run them."""
    asked = vars(nn.functional)["has_torch_function"]
    try:
        vars(nn.functional)["has_torch_function"] = lambda _: False
        yield
    finally:
        vars(nn.functional)["has_torch_function"] = asked


@contextlib.contextmanager
def loops_for_vmap() -> Iterator[None]:
    """What is mapped over an axis runs for each of its places, so that each can be followed."""
    whole = apis.vmap_impl

    def each(
        func: Any, in_dims: Any, out_dims: Any, _: Any, __: Any, *args: Any, **kwargs: Any
    ) -> Any:
        size, flat, leaves, spec = _process_batched_inputs(in_dims, args, func)
        outs = []
        for place in range(size):
            own = [
                x if d is None else x.select(d, place) for d, x in zip(flat, leaves, strict=True)
            ]
            outs.append(func(*tree_unflatten(own, spec), **kwargs))
        _, form = tree_flatten(outs[0])
        columns = zip(*(tree_leaves(out) for out in outs), strict=True)
        at = out_dims if isinstance(out_dims, int) else 0
        return tree_unflatten([torch.stack(column, at) for column in columns], form)

    try:
        vars(apis)["vmap_impl"] = each
        yield
    finally:
        vars(apis)["vmap_impl"] = whole
