"""Draws trees of values as they cross the wall, and tells whether two are the same."""

from __future__ import annotations

import math
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from grader.worker.values import WIRE_NAMES, Callback, Config


def same(a: Any, b: Any) -> bool:
    """Equal in type and value, NaN being equal to itself."""
    if type(a) is not type(b):
        return False
    if isinstance(a, Tensor):
        bits = [t.contiguous().unsqueeze(-1).view(torch.uint8) for t in (a, b)]
        return a.shape == b.shape and a.dtype == b.dtype and torch.equal(*bits)
    if isinstance(a, float):
        return a == b or (math.isnan(a) and math.isnan(b))
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, Config):
        return same(dict(a.fields), dict(b.fields))
    return bool(a == b)


@st.composite
def tensors(draw: st.DrawFn) -> Tensor:
    shape = draw(st.lists(st.integers(0, 3), max_size=4))
    dtype = draw(st.sampled_from(sorted(WIRE_NAMES, key=str)))
    size = math.prod(shape) * dtype.itemsize
    data = draw(st.binary(min_size=size, max_size=size))
    if dtype is torch.bool:
        data = bytes(byte & 1 for byte in data)
    if not data:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(data), dtype=dtype).reshape(shape)


texts = st.text(st.characters(codec=None, categories=None), max_size=20)
whole = st.integers(-(2**63), 2**63 - 1)
plain_leaves = (
    st.none()
    | st.booleans()
    | whole
    | st.floats()
    | texts
    | tensors()
    | st.sampled_from([torch.float32, torch.int64, torch.bool])
)
leaves = plain_leaves | st.builds(Callback, st.integers(0, 9))


def containers(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return (
        st.lists(children, max_size=4)
        | st.lists(children, max_size=4).map(tuple)
        | st.dictionaries(texts | whole, children, max_size=4)
        | st.dictionaries(texts, children, max_size=4).map(Config)
    )


trees = st.recursive(leaves, containers, max_leaves=20)
