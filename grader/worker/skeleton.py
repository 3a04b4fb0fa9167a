"""Takes a value tree apart into JSON and tensors, and back; must not trust what it is given."""

import math
from collections.abc import Mapping
from typing import Any, NoReturn

import torch
from torch import Tensor

from .values import MAX_NAME, BadTree, Callback, Config, Opaque, ReadQuota, printable

# One answer holds a value, gradients of arguments and of parameters, each within the bounds.
TREES = 3
_DTYPES = {str(d)[6:]: d for d in vars(torch).values() if isinstance(d, torch.dtype)}
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def pack(tree: Any) -> tuple[Any, list[Tensor], list[Callback]]:
    """A JSON skeleton, its tensors and its callbacks, for a tree of plain types."""
    tensors: list[Tensor] = []
    callbacks: list[Callback] = []
    return _pack(tree, tensors, callbacks), tensors, callbacks


def _pack(tree: Any, tensors: list[Tensor], callbacks: list[Callback]) -> Any:
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
        packed = {key: _pack(part, tensors, callbacks) for key, part in tree.items()}
        if all(type(key) is str for key in tree):
            return {"o": packed}
        if any(type(key) not in (str, int) for key in tree):
            raise BadTree("a dict with keys other than str and int")
        return {"d": list(packed.items())}  # JSON's own keys are strings
    if kind is tuple:
        return {"t": [_pack(part, tensors, callbacks) for part in tree]}
    if kind is list:
        return [_pack(part, tensors, callbacks) for part in tree]
    if kind is torch.dtype:
        return {"dtype": str(tree)[6:]}
    if kind is Config:
        return {"config": {str(k): _pack(v, tensors, callbacks) for k, v in tree.fields.items()}}
    if kind is Callback:
        callbacks.append(tree)
        return {"cb": tree.id}
    if kind is Opaque:
        return {"opaque": tree.type_name}
    if isinstance(tree, Tensor):  # a Parameter of the examiner's, say
        return _pack(tree.detach().as_subclass(Tensor), tensors, callbacks)
    if isinstance(tree, tuple):  # torch.Size
        return _pack(tuple(tree), tensors, callbacks)
    if isinstance(tree, Mapping):
        return _pack(dict(tree), tensors, callbacks)
    raise BadTree(f"a {kind.__name__} has no place in a value tree")


def unpack(skeleton: Any, tensors: list[Tensor]) -> Any:
    """The tree that `pack` took apart; raises BadTree on a skeleton it cannot have written."""
    return _unpack(skeleton, tensors, ReadQuota(TREES), 0)


def _unpack(node: Any, tensors: list[Tensor], quota: ReadQuota, depth: int) -> Any:
    quota.node(depth)
    kind = type(node)
    if kind is str:
        quota.string(len(node))
        return node
    if node is None or kind is bool or kind is float:
        return node
    if kind is int:
        return node if -(2**63) <= node < 2**63 else _refuse("an int of more than 64 bits")
    if kind is list:
        return [_unpack(part, tensors, quota, depth + 1) for part in node]
    if kind is not dict or len(node) != 1:
        _refuse("a node that is no tagged object")
    ((tag, content),) = node.items()
    kind = type(content)
    if kind is int and content >= 0:
        if tag == "T" and content < len(tensors):
            return tensors[content]
        if tag == "cb":
            return Callback(content)
    elif kind is dict:
        fields = {}
        for name, part in content.items():
            quota.string(len(name))
            fields[name] = _unpack(part, tensors, quota, depth + 1)
        if tag == "o":
            return fields
        if tag == "config":
            return Config(fields)
    elif kind is list:
        if tag == "t":
            return tuple([_unpack(part, tensors, quota, depth + 1) for part in content])
        if tag == "d":
            plain: dict[Any, Any] = {}
            for pair in content:
                if type(pair) is not list or len(pair) != 2 or type(pair[0]) not in (str, int):
                    _refuse("a dict with a malformed pair")
                key = _unpack(pair[0], tensors, quota, depth)
                plain[key] = _unpack(pair[1], tensors, quota, depth + 1)
            return plain
    elif kind is str:
        if tag == "f" and content in _FLOATS:
            return _FLOATS[content]
        if tag == "dtype" and content in _DTYPES:
            return _DTYPES[content]
        if tag == "opaque":
            quota.string(len(content))
            return Opaque(printable(content[: 2 * MAX_NAME]))
    return _refuse("an unknown tag, or content that does not suit it")


def _refuse(what: str) -> NoReturn:
    raise BadTree(what)
