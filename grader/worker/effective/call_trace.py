"""Records the operations of one call of a module, which can be played again with other tensors."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch._functorch import apis
from torch._functorch.vmap import _process_batched_inputs
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_map_only, tree_unflatten

from ..inventory import parameters, tensors_by_name, walk
from .operations import FACTORS, FILLED, JOINS, RANDOM

MAX_STEPS = 4_000
_PRODUCTS_ADDED = frozenset(("addmm", "addmv", "baddbmm"))


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


@dataclass(frozen=True)
class Ref:
    """Stands for a tensor in the arguments of a step."""

    index: int


@dataclass
class Value:
    """A tensor that a call has made or met."""

    tensor: Tensor
    step: int | None = None  # that made it
    part: int = 0  # which of that step's results
    is_fed: bool = False  # depends on what the call was given
    learns: bool = False  # depends on a parameter
    key: Any = None  # what it is made of, if of nothing that the call was given


@dataclass
class Step:
    """One operation of a call."""

    function: Any
    name: str
    args: Any
    kwargs: Any
    in_place: bool
    grad: bool
    given: tuple[int, ...]
    results: list[int] = field(default_factory=list)


def tensors_in(tree: Any) -> list[Tensor]:
    """Every tensor among the leaves."""
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, Tensor)]


class CallRecording(TorchFunctionMode):
    """The operations of one call of a module, one after the other."""

    def __init__(self, known: dict[int, tuple[Tensor, Any]], given: Any) -> None:
        super().__init__()
        self.values: list[Value] = []
        self.steps: list[Step] = []
        self._index: dict[int, int] = {}
        for tensor, (kind, name) in known.values():
            self._add(Value(tensor, learns=kind == "p", key=(kind, name)))
        for tensor in tree_leaves(given):
            if isinstance(tensor, Tensor):
                self._add(Value(tensor, is_fed=True))

    def _add(self, value: Value) -> int:
        self.values.append(value)
        self._index[id(value.tensor)] = len(self.values) - 1
        return len(self.values) - 1

    def index(self, tensor: Tensor) -> int:
        """The place of a tensor; one that comes from nowhere counts as given."""
        if id(tensor) not in self._index:
            self._add(Value(tensor, is_fed=True))
        return self._index[id(tensor)]

    def _noted(self, given: list[int], tensor: Tensor) -> Ref:
        given.append(self.index(tensor))
        return Ref(given[-1])

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = _name(func)
        if name == "multi_head_attention_forward":  # of Python: what it calls is followed
            with as_if_plain(), self:
                return func(*args, **kwargs)
        if name in _PRODUCTS_ADDED and len(args) == 3 and not kwargs:  # two steps in one
            with self:
                return torch.add(args[0], torch.matmul(args[1], args[2]))
        if len(self.steps) >= MAX_STEPS:
            raise RuntimeError("more operations than can be followed")
        in_place = name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))
        in_place = in_place or (name.startswith("__i") and name in JOINS | FACTORS)
        given: list[int] = []
        held = tree_map_only(Tensor, partial(self._noted, given), (args, kwargs))
        if in_place and args and isinstance(args[0], Tensor):  # what it was is still asked for
            with torch.no_grad():
                self.values[self.index(args[0])].tensor = args[0].clone()
        out = func(*args, **kwargs)
        made = tensors_in(out)
        if in_place and not made and args and isinstance(args[0], Tensor):
            made = [args[0]]
        if not made:
            return out
        grad = torch.is_grad_enabled()
        step = Step(func, name, held[0], held[1], in_place, grad, tuple(given))
        sources = [self.values[i] for i in given]
        is_fed = any(v.is_fed for v in sources) or name in RANDOM or name == "arange"
        if name in FILLED and made[0].is_floating_point():  # it takes no more than a shape
            is_fed = False
        learns = any(v.learns for v in sources) and name not in FILLED
        key = None if is_fed else _key_of(func, held, sources)
        self.steps.append(step)
        for part, tensor in enumerate(made):
            before = self._index.get(id(tensor))
            if before is not None and not in_place:  # the very same tensor
                step.results.append(before)
                continue
            own = None if key is None else (*key, part)
            at = len(self.steps) - 1
            step.results.append(self._add(Value(tensor, at, part, is_fed, learns, own)))
        return out


def _name(func: Any) -> str:
    name = getattr(func, "__name__", "")
    return str(getattr(func.__self__, "__name__", name)) if name == "__get__" else str(name)


def _key_of(func: Any, held: Any, sources: Sequence[Value]) -> Any:
    """What tells a result from others that are made of parameters and constants alone."""
    plain = tree_map(lambda leaf: "·" if isinstance(leaf, Ref) else repr(leaf)[:200], held)
    return (hash((_name(func), repr(plain), tuple(v.key for v in sources))),)


class Trace:
    """One recorded call, which can be played again with other tensors in place of some."""

    def __init__(self, module: Any, args: Any, kwargs: Any) -> None:
        known: dict[int, tuple[Tensor, Any]] = {}
        for name, tensor in parameters(module).items():
            constant = not tensor.requires_grad and tensor.numel() == 1
            known.setdefault(id(tensor), (tensor, ("b" if constant else "p", name)))
        for path, part in walk(module):
            for name, tensor in part.named_buffers(recurse=False):
                known.setdefault(id(tensor), (tensor, ("b", f"{path}.{name}")))
        for name, tensor in tensors_by_name(module).items():
            known.setdefault(id(tensor), (tensor, ("p" if tensor.requires_grad else "b", name)))
        recording = CallRecording(known, (args, kwargs))
        with torch.enable_grad(), loops_for_vmap(), recording:
            output = module(*args, **kwargs)
        self.values, self.steps = recording.values, recording.steps
        self._orders: dict[Any, list[int]] = {}
        self.output = tree_map_only(Tensor, lambda each: Ref(recording.index(each)), output)

    @property
    def keys(self) -> set[Any]:
        """The keys of all tensors that have one."""
        return {v.key for v in self.values if v.key is not None}

    def play(
        self, wanted: Sequence[int], held: dict[int, Tensor], later: dict[int, Any] | None = None
    ) -> list[Tensor]:
        """Values again, made of those that are `held` and else as recorded.

        `later`: (of what, how) a value is made of what has been made by then.
        """
        env, later = dict(held), later or {}
        for index in self._needed(wanted, held, later):
            if index in env:
                continue
            if index in later:
                source, make = later[index]
                at = self.values[index].step
                grad = torch.is_grad_enabled() and (at is None or self.steps[at].grad)
                with torch.set_grad_enabled(grad):
                    env[index] = make(env.get(source, self.values[source].tensor))
                continue
            at = self.values[index].step
            if at is not None:
                self._again(self.steps[at], env, later)
        return [env.get(i, self.values[i].tensor) for i in wanted]

    def _needed(
        self, wanted: Sequence[int], held: dict[int, Tensor], later: dict[int, Any]
    ) -> list[int]:
        """What has to be made anew, in order; it depends on the places of what is held alone."""
        asked = tuple(wanted), frozenset(held), frozenset(later)
        if asked in self._orders:
            return self._orders[asked]
        moved = set(held) | set(later)
        for step in self.steps:
            if any(i in moved for i in step.given):
                moved.update(step.results)
        needed: set[int] = set()
        ahead = list(wanted)
        while ahead:
            index = ahead.pop()
            if index in held or index in needed or index not in moved:
                continue
            needed.add(index)
            at = self.values[index].step
            if index in later:
                ahead.append(later[index][0])
            elif at is not None:
                ahead.extend(self.steps[at].given)
        self._orders[asked] = sorted(needed)
        return self._orders[asked]

    def _again(self, step: Step, env: dict[int, Tensor], later: dict[int, Any]) -> None:
        def value(ref: Ref) -> Tensor:
            return env.get(ref.index, self.values[ref.index].tensor)

        args, kwargs = tree_map_only(Ref, value, (step.args, step.kwargs))
        if step.in_place:
            args = (args[0].clone(), *args[1:])
        if step.grad or not torch.is_grad_enabled():
            out = step.function(*args, **kwargs)
        else:
            with torch.no_grad():
                out = step.function(*args, **kwargs)
        made = tensors_in(out)
        if step.in_place and not made:
            made = [args[0]]
        for index, tensor in zip(step.results, made, strict=False):
            if index not in later:
                env.setdefault(index, tensor)
