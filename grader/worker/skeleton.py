"""Takes a value tree apart into JSON and tensors, and back; must not trust what it is given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NoReturn

import torch
from torch import Tensor

from .values import MAX_NAME, BadTree, Budget, Callback, Config, Handle, Opaque, printable

_DTYPES = {str(d)[6:]: d for d in vars(torch).values() if isinstance(d, torch.dtype)}
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def pack(tree: Any) -> tuple[Any, list[Tensor]]:
    """A JSON skeleton and its tensors, for a tree of plain types (see `simplify`)."""
    tensors: list[Tensor] = []
    return _pack(tree, tensors), tensors


def _pack(tree: Any, tensors: list[Tensor]) -> Any:
    kind = type(tree)
    if kind is Tensor:
        tensors.append(tree)
        return {"T": len(tensors) - 1}
    if tree is None or kind is bool or kind is str:
        return tree
    if kind is int:
        if not -(2**63) <= tree < 2**63:
            raise BadTree("an int of more than 64 bits")
        return tree
    if kind is float:
        return tree if math.isfinite(tree) else {"f": str(tree)}
    if kind is dict:
        return {"d": [[key, _pack(part, tensors)] for key, part in tree.items()]}
    if kind is tuple:
        return {"t": [_pack(part, tensors) for part in tree]}
    if kind is list:
        return [_pack(part, tensors) for part in tree]
    if kind is torch.dtype:
        return {"dtype": str(tree)[6:]}
    if kind is Config:
        return {"config": [[str(key), _pack(part, tensors)] for key, part in tree.fields.items()]}
    if kind is Handle:
        return {"h": tree.id}
    if kind is Callback:
        return {"cb": tree.id}
    if kind is Opaque:
        return {"opaque": tree.type_name}
    if isinstance(tree, Tensor):  # a Parameter of the examiner's, say
        return _pack(tree.detach().as_subclass(Tensor), tensors)
    if isinstance(tree, tuple):  # torch.Size
        return _pack(tuple(tree), tensors)
    if isinstance(tree, Mapping):
        return _pack(dict(tree), tensors)
    raise BadTree(f"a {kind.__name__} has no place in a value tree")


def unpack(skeleton: Any, tensors: list[Tensor]) -> Any:
    """The tree that `pack` took apart; raises BadTree on a skeleton it cannot have written."""
    return _unpack(skeleton, tensors, Budget(), 0)


def _unpack(node: Any, tensors: list[Tensor], budget: Budget, depth: int) -> Any:
    budget.node(depth)
    if type(node) is str:
        budget.string(len(node))
        return node
    if node is None or type(node) in (bool, float):
        return node
    if type(node) is int:
        if not -(2**63) <= node < 2**63:
            _refuse("an int of more than 64 bits")
        return node
    if type(node) is list:
        return [_unpack(part, tensors, budget, depth + 1) for part in node]
    if type(node) is not dict or len(node) != 1:
        _refuse("a node that is no tagged object")
    ((tag, content),) = node.items()
    if tag == "T":
        if type(content) is not int or not 0 <= content < len(tensors):
            _refuse("a tensor that was not sent")
        return tensors[content]
    if tag == "t":
        if type(content) is not list:
            _refuse("a tuple that is no list")
        return tuple([_unpack(part, tensors, budget, depth + 1) for part in content])
    if tag == "d":
        return _unpack_pairs(content, (str, int), tensors, budget, depth)
    if tag == "config":
        return Config(_unpack_pairs(content, (str,), tensors, budget, depth))
    if tag in ("h", "cb"):
        if type(content) is not int or not 0 <= content < 2**63:
            _refuse("a handle that is no number")
        return Handle(content) if tag == "h" else Callback(content)
    if type(content) is not str:
        _refuse("a tag without text")
    if tag == "f" and content in _FLOATS:
        return _FLOATS[content]
    if tag == "dtype" and content in _DTYPES:
        return _DTYPES[content]
    if tag == "opaque":
        budget.string(len(content))
        return Opaque(printable(content[: 2 * MAX_NAME]))
    return _refuse("an unknown tag")


def _unpack_pairs(
    pairs: Any, keys: tuple[type, ...], tensors: list[Tensor], budget: Budget, depth: int
) -> dict[Any, Any]:
    if type(pairs) is not list:
        _refuse("a dict that is no list of pairs")
    plain: dict[Any, Any] = {}
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) not in keys:
            _refuse("a dict with a malformed pair")
        if type(pair[0]) is str:
            budget.string(len(pair[0]))
        plain[pair[0]] = _unpack(pair[1], tensors, budget, depth + 1)
    return plain


def _refuse(what: str) -> NoReturn:
    raise BadTree(what)
