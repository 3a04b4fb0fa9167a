"""Describes what a learner's object holds, registered or not; must not trust its methods."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from .readymade import kinds
from .values import type_name

MAX_MODULES = 2_000
MAX_DEPTH = 30
MAX_LOOSE = 500
LOOSE_DEPTH = 5
MAX_KINDS = 300
MAX_KIND = 200  # characters of a class's name
MAX_PATH = 2_000  # characters of a dotted name
# Of a module's attributes, most hold nothing: these are told quickly.
_PLAIN, _BAGS = (bool, int, float, str, type(None)), (dict, OrderedDict, list, tuple, set)


class TooMany(ValueError):
    """An object with more parts than any exercise needs."""


def walk(root: Any) -> Iterator[tuple[str, nn.Module]]:
    """Every registered module with its path, shared ones at each of their paths.

    Reads the registries themselves: a learner may have overridden `named_modules` or
    `__getattr__`, or forgotten `super().__init__()`. Raises TooMany.
    """
    count = 0
    stack = [("", root, 1)] if isinstance(root, nn.Module) else []
    while stack:
        path, module, depth = stack.pop()
        count += 1
        if count > MAX_MODULES or depth > MAX_DEPTH:
            raise TooMany(f"{type_name(root)} holds too many modules, or itself")
        yield path, module
        children = [
            (_join(path, name), child, depth + 1)
            for name, child in _registry(module, "_modules").items()
            if isinstance(child, nn.Module)
        ]
        stack += children[::-1]


def parameters(root: Any) -> dict[str, Tensor]:
    """Every registered parameter by its full name, shared ones under each; raises TooMany."""
    return {
        _join(path, name): tensor
        for path, module in walk(root)
        for name, tensor in _registry(module, "_parameters").items()
        if isinstance(tensor, Tensor)
    }


def describe(root: Any) -> dict[str, Any]:
    """What `construct` answers about an object, but for its handle; raises TooMany."""
    names: dict[int, str] = {}
    rows = []
    for name, tensor in parameters(root).items():
        first = names.setdefault(id(tensor), name)
        alias = None if first == name else first
        row = {"name": name, "shape": _shape(tensor), "requires_grad": tensor.requires_grad}
        rows.append({**row, "alias_of": alias})
    held_loosely = loose(root)
    # The classes of libraries among those of all modules and of their bases, by full names.
    tops = (root, *(thing for _, thing, kind in held_loosely if kind == "module"))
    modules = (module for top in tops for _, module in walk(top))
    brought = dict.fromkeys(name[:MAX_KIND] for module in modules for name in kinds(module))
    return {
        "parameters": rows,
        "loose": [
            {"path": path, "shape": _shape(thing), "kind": kind}
            for path, thing, kind in held_loosely
        ],
        "kinds": list(brought)[:MAX_KINDS],
        "is_module": isinstance(root, nn.Module),
    }


def loose(root: Any) -> list[tuple[str, Any, str]]:
    """What is reachable without being registered to learn: in attributes, lists, dicts, buffers."""
    found: list[tuple[str, Any, str]] = []
    seen = {id(root)}
    for _, module in walk(root):
        held = (_registry(module, "_parameters"), _registry(module, "_buffers"))
        seen.update((id(module), *(id(each) for registry in held for each in registry.values())))
    holders: list[tuple[str, Any]] = list(walk(root))
    for path, holder in holders or [("", root)]:
        for name, held in _attributes(holder).items():
            if type(held) not in _PLAIN and not (type(held) in _BAGS and not held):
                _search(_join(path, name), held, 0, seen, found)
    for path, module in walk(root):
        for name, held in _registry(module, "_buffers").items():
            if isinstance(held, Tensor) and held.is_floating_point() and len(found) < MAX_LOOSE:
                found.append((_join(path, name), held, "buffer"))
    return found


def _search(path: str, thing: Any, depth: int, seen: set[int], found: list[Any]) -> None:
    if depth > LOOSE_DEPTH or len(found) >= MAX_LOOSE or isinstance(thing, str | int | float):
        return
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, nn.Parameter):
        found.append((path, thing, "parameter"))
    elif isinstance(thing, Tensor):
        learns = thing.requires_grad and thing.is_leaf
        found.append((path, thing, "parameter" if learns else "tensor"))
    elif isinstance(thing, nn.Module):
        found.append((path, thing, "module"))
        # What the loose module holds properly is as lost to the optimizer as the module is.
        lost = parameters(thing)
        found.extend(
            (_join(path, name), tensor, "parameter")
            for name, tensor in lost.items()
            if id(tensor) not in seen
        )
        seen.update(id(module) for _, module in walk(thing))
        seen.update(map(id, lost.values()))
    elif isinstance(thing, list | tuple | set):
        for index, part in enumerate(list(thing)[:MAX_LOOSE]):
            _search(f"{path}[{index}]", part, depth + 1, seen, found)
    elif isinstance(thing, dict):
        for key, part in list(thing.items())[:MAX_LOOSE]:
            _search(f"{path}[{key!r:.40}]", part, depth + 1, seen, found)
    elif type(thing).__module__.startswith("submission_"):  # a helper object of the learner's own
        for name, part in _attributes(thing).items():
            _search(_join(path, name), part, depth + 1, seen, found)


def tensors_by_name(root: Any) -> dict[str, Tensor]:
    """Parameters, and what is held loosely, by the names that `describe` gives."""
    held_loosely = {path: thing for path, thing, _ in loose(root) if isinstance(thing, Tensor)}
    return {**held_loosely, **parameters(root)}


def write(root: Any, values: dict[str, Tensor]) -> None:
    """Copy values into the tensors of these names."""
    tensors = parameters(root)
    if any(name not in tensors for name in values):
        tensors = tensors_by_name(root)
    with torch.no_grad():
        for name, value in values.items():
            if name not in tensors:
                raise LookupError(f"{type_name(root)} has no parameter {name!r}")
            if tensors[name].shape != value.shape:
                shape = list(tensors[name].shape)
                raise ValueError(f"{name} has shape {shape}, not {list(value.shape)}")
            tensors[name].copy_(value)


def _registry(module: nn.Module, name: str) -> dict[str, Any]:
    registry = object.__getattribute__(module, "__dict__").get(name)
    if isinstance(registry, dict) and registry:
        return registry
    if not isinstance(module, torch.jit.RecursiveScriptModule):  # whose are not Python's
        return {}
    if name == "_modules":
        return dict(module._modules.items())
    kind: Any = torch._C.ParameterDict if name == "_parameters" else torch._C.BufferDict
    return dict(kind(module._c).items())


def _attributes(thing: Any) -> dict[str, Any]:
    try:
        attributes = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return {}
    hidden = ("_parameters", "_buffers", "_modules")
    return {str(k): v for k, v in dict(attributes).items() if k not in hidden}


def _shape(thing: Any) -> list[int]:
    """Sizes; none for a module, or for a lazy parameter that has none yet."""
    try:
        return list(thing.shape) if isinstance(thing, Tensor) else []
    except RuntimeError:
        return []


def _join(path: str, name: str) -> str:
    joined = f"{path}.{name}" if path else name
    if len(joined) > MAX_PATH:
        raise TooMany(f"a name of more than {MAX_PATH:,} characters")
    return joined
