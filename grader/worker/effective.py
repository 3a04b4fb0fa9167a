"""Shows a module by what its parameters come to, however they are laid out; judges nothing.

What depends on no input is folded into the tensors that inputs meet: a weight behind a weight_norm,
a merged adapter, one layer's slice of a stack. What is linear in its input with nothing between
becomes one map, which is read off its answers. So a module is shown as if it held plain tensors.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch._functorch import apis
from torch._functorch.vmap import _process_batched_inputs
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten

from .modules import parameters, tensors_by_name, walk

MAX_STEPS = 4_000
MAX_ROWS = 64  # of a table that is read row by row
_MOST_AXES = 6
_MOST_VIEWS = 6  # one upon another
_VIEWS = {
    *("view", "reshape", "transpose", "permute", "flatten", "unflatten", "unsqueeze", "squeeze"),
    *("split", "chunk", "unbind", "__getitem__", "expand", "contiguous", "clone", "swapaxes"),
    *("swapdims", "movedim", "moveaxis", "narrow", "select", "T", "mT", "t", "to", "float"),
    *("view_as", "reshape_as", "expand_as", "tensor_split", "split_with_sizes", "__iter__"),
    *("type_as", "repeat", "roll", "flip", "index_select", "dropout", "identity", "H", "mH"),
}
_JOINS = {
    *("add", "__add__", "__radd__", "__iadd__", "add_", "sub", "__sub__", "__rsub__", "subtract"),
    *("cat", "concat", "concatenate", "stack", "hstack", "rsub"),
}
_CONTRACTIONS = {
    *("linear", "matmul", "__matmul__", "__rmatmul__", "mm", "bmm", "mv", "einsum", "tensordot"),
    *("conv1d", "conv2d", "inner", "addmm", "baddbmm", "sum", "bilinear", "dot"),
}
_FACTORS = {
    *("mul", "__mul__", "__rmul__", "__imul__", "mul_", "multiply", "div", "__truediv__"),
    *("divide", "true_divide", "neg", "__neg__", "negative", "div_", "__itruediv__"),
}
_WIDENING = {"cat", "concat", "concatenate", "pad"}  # with ones, as a bias' row needs them
_LINEAR = {"pad"} | _VIEWS | _JOINS | _CONTRACTIONS | _FACTORS
_CHOICES = {"where", "masked_fill", "gather", "take_along_dim"}
_FILLED = {"ones_like", "zeros_like", "full_like", "new_ones", "new_zeros", "new_full"}
_RANDOM = {"rand", "randn", "randint", "rand_like", "randn_like", "bernoulli", "empty", "normal"}


@dataclass(frozen=True)
class _Ref:
    """Stands for a tensor in the arguments of a step."""

    index: int


@dataclass
class _Value:
    """A tensor that a call has made or met."""

    tensor: Tensor
    step: int | None = None  # that made it
    part: int = 0  # which of that step's results
    is_fed: bool = False  # depends on what the call was given
    learns: bool = False  # depends on a parameter
    key: Any = None  # what it is made of, if of nothing that the call was given


@dataclass
class _Step:
    """One operation of a call."""

    function: Any
    name: str
    args: Any
    kwargs: Any
    in_place: bool
    grad: bool
    given: tuple[int, ...]
    results: list[int] = field(default_factory=list)


class Recording(TorchFunctionMode):
    """The operations of one call of a module, one after the other."""

    def __init__(self, known: dict[int, tuple[Tensor, Any]], given: Any) -> None:
        super().__init__()
        self.values: list[_Value] = []
        self.steps: list[_Step] = []
        self._index: dict[int, int] = {}
        for tensor, (kind, name) in known.values():
            self._add(_Value(tensor, learns=kind == "p", key=(kind, name)))
        for tensor in tree_leaves(given):
            if isinstance(tensor, Tensor):
                self._add(_Value(tensor, is_fed=True))

    def _add(self, value: _Value) -> int:
        self.values.append(value)
        self._index[id(value.tensor)] = len(self.values) - 1
        return len(self.values) - 1

    def index(self, tensor: Tensor) -> int:
        """The place of a tensor; one that comes from nowhere counts as given."""
        if id(tensor) not in self._index:
            self._add(_Value(tensor, is_fed=True))
        return self._index[id(tensor)]

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = _name(func)
        if name == "multi_head_attention_forward":  # of Python: what it calls is followed
            with _as_if_plain(), self:
                return func(*args, **kwargs)
        if len(self.steps) >= MAX_STEPS:
            raise RuntimeError("more operations than can be followed")
        in_place = name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))
        in_place = in_place or (name.startswith("__i") and name in _JOINS | _FACTORS)
        held = tree_map(
            lambda leaf: _Ref(self.index(leaf)) if isinstance(leaf, Tensor) else leaf,
            (args, kwargs),
        )
        if in_place and args and isinstance(args[0], Tensor):  # what it was is still asked for
            with torch.no_grad():
                self.values[self.index(args[0])].tensor = args[0].clone()
        out = func(*args, **kwargs)
        made = [t for t in tree_leaves(out) if isinstance(t, Tensor)]
        if in_place and not made and args and isinstance(args[0], Tensor):
            made = [args[0]]
        if not made:
            return out
        given = tuple(r.index for r in tree_leaves(held) if isinstance(r, _Ref))
        step = _Step(func, name, held[0], held[1], in_place, torch.is_grad_enabled(), given)
        sources = [self.values[i] for i in given]
        is_fed = any(v.is_fed for v in sources) or name in _RANDOM or name == "arange"
        if name in _FILLED and made[0].is_floating_point():  # it takes no more than a shape
            is_fed = False
        learns = any(v.learns for v in sources) and name not in _FILLED
        key = None if is_fed else _key_of(func, held, sources)
        self.steps.append(step)
        for part, tensor in enumerate(made):
            before = self._index.get(id(tensor))
            if before is not None and not in_place:  # the very same tensor
                step.results.append(before)
                continue
            own = None if key is None else (*key, part)
            at = len(self.steps) - 1
            step.results.append(self._add(_Value(tensor, at, part, is_fed, learns, own)))
        return out


@contextlib.contextmanager
def _as_if_plain() -> Iterator[None]:
    """PyTorch's functions of Python ask no mode whether it wants to run them."""
    asked = vars(nn.functional)["has_torch_function"]
    try:
        vars(nn.functional)["has_torch_function"] = lambda _: False
        yield
    finally:
        vars(nn.functional)["has_torch_function"] = asked


@contextlib.contextmanager
def _loops_for_vmap() -> Iterator[None]:
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


def _name(func: Any) -> str:
    name = getattr(func, "__name__", "")
    return str(getattr(func.__self__, "__name__", name)) if name == "__get__" else str(name)


def _key_of(func: Any, held: Any, sources: Sequence[_Value]) -> Any:
    """What tells a result from others that are made of parameters and constants alone."""
    plain = tree_map(lambda leaf: "·" if isinstance(leaf, _Ref) else repr(leaf)[:200], held)
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
        recording = Recording(known, (args, kwargs))
        with torch.enable_grad(), _loops_for_vmap(), recording:
            output = module(*args, **kwargs)
        self.values, self.steps = recording.values, recording.steps
        self.output = tree_map(
            lambda leaf: _Ref(recording.index(leaf)) if isinstance(leaf, Tensor) else leaf, output
        )

    @property
    def keys(self) -> set[Any]:
        return {v.key for v in self.values if v.key is not None}

    def play(
        self, wanted: Sequence[int], held: dict[int, Tensor], later: dict[int, Any] | None = None
    ) -> list[Tensor]:
        """Values again, made of those that are `held` and else as recorded.

        `later`: (of what, how) a value is made of what has been made by then.
        """
        env, later = dict(held), later or {}
        moved = set(env) | set(later)
        touched: dict[int, bool] = {}
        for number, step in enumerate(self.steps):
            touched[number] = any(i in moved for i in step.given)
            if touched[number]:
                moved.update(step.results)
        needed, ahead = set(), list(wanted)
        while ahead:
            index = ahead.pop()
            if index in env or index in needed or index not in moved:
                continue
            needed.add(index)
            if index in later:
                ahead.append(later[index][0])
                continue
            at = self.values[index].step
            if at is not None:
                ahead.extend(self.steps[at].given)
        for index in sorted(needed):
            if index in env:
                continue
            if index in later:
                source, make = later[index]
                at = self.values[index].step
                with torch.set_grad_enabled(at is None or self.steps[at].grad):
                    env[index] = make(env.get(source, self.values[source].tensor))
                continue
            at = self.values[index].step
            if at is not None:
                self._again(self.steps[at], env, later)
        return [env.get(i, self.values[i].tensor) for i in wanted]

    def _again(self, step: _Step, env: dict[int, Tensor], later: dict[int, Any]) -> None:
        def value(leaf: Any) -> Any:
            if not isinstance(leaf, _Ref):
                return leaf
            return env.get(leaf.index, self.values[leaf.index].tensor)

        args, kwargs = tree_map(value, (step.args, step.kwargs))
        if step.in_place:
            args = (args[0].clone(), *args[1:])
        with torch.set_grad_enabled(step.grad):
            out = step.function(*args, **kwargs)
        made = [t for t in tree_leaves(out) if isinstance(t, Tensor)]
        if step.in_place and not made:
            made = [args[0]]
        for index, tensor in zip(step.results, made, strict=False):
            if index not in later:
                env.setdefault(index, tensor)


@dataclass(frozen=True)
class _Plan:
    """Which axes of a map's input are features, and where its tokens' axes are in its output."""

    features: tuple[int, ...]
    tokens: tuple[int, ...]
    places: tuple[int, ...]

    def axes(self, trace: Trace, source: int, target: int) -> tuple[list[int], list[int]]:
        """How long the axes of its units are, and those of its features; a table's are its rows."""
        given, made = trace.values[source].tensor.shape, trace.values[target].tensor.shape
        units = [length for a, length in enumerate(made) if a not in self.places]
        return units, [given[a] for a in self.features]

    def rows(self, given: Tensor) -> Tensor:
        """The input as [tokens, features]."""
        width = math.prod(given.shape[a] for a in self.features)
        return given.permute(*self.tokens, *self.features).reshape(-1, width)

    def result(self, made: Tensor) -> Tensor:
        """The output as [tokens, units]."""
        rest = [a for a in range(made.dim()) if a not in self.places]
        count = math.prod(made.shape[a] for a in self.places)
        return made.permute(*self.places, *rest).reshape(count, -1)

    def placed(self, found: Tensor, given: Tensor, shape: Sequence[int]) -> Tensor:
        """[tokens, units] as the output has it."""
        rest = [a for a in range(len(shape)) if a not in self.places]
        order = [*self.places, *rest]
        sizes = [given.shape[a] for a in self.tokens] + [shape[a] for a in rest]
        back = [order.index(a) for a in range(len(shape))]
        return found.reshape(sizes).permute(back)


_Info = tuple[int, tuple[Any, ...], bool]  # affine in what, by which slots, a map already


class Affine:
    """Which results of a call are affine in an earlier one; with `merged` scales go into maps."""

    def __init__(self, trace: Trace, stable: set[Any], merged: bool) -> None:
        self.trace, self.stable, self.merged = trace, stable, merged
        self.ends: dict[int, _Info] = {}
        fixed: set[int] = set()
        while True:  # an end that others go on from is where these begin
            found = self._pass(fixed)
            if found <= fixed:
                return
            fixed |= found

    def slots(self, index: int) -> list[int]:
        """The tensors that every call makes alike, of which a constant is made."""
        value = self.trace.values[index]
        if not value.learns or value.is_fed:
            return []
        if value.step is None or value.key in self.stable:
            return [index]
        given = self.trace.steps[value.step].given
        return list(dict.fromkeys(slot for i in given for slot in self.slots(i)))

    def _pass(self, fixed: set[int]) -> set[int]:
        """Where what is affine in one tensor meets what is not."""
        values = self.trace.values
        info: dict[int, _Info] = {}
        found: set[int] = set()
        unscaled: dict[int, int] = {}  # by what only constants multiply: these go into no map
        self.ends = {}
        for step in self.trace.steps:
            fed = [i for i in dict.fromkeys(step.given) if values[i].is_fed]
            if not fed:
                continue
            own = tuple(values[s].key for i in step.given for s in self.slots(i))
            known = [info.get(i, (i, (), False)) for i in fed]
            ready = [i for i in fed if i in info and info[i][1]]
            if self._looks_up(step, known, bool(own)):
                slots = tuple(dict.fromkeys((*(k for each in known for k in each[1]), *own)))
                for result in step.results:
                    if result in fixed:
                        self.ends[result] = known[0][0], slots, True
                    else:
                        info[result] = known[0][0], slots, True
                continue
            if not self._is_linear(step, fed, known):
                found.update(ready)
                continue
            if ready and step.name in _FACTORS and not own and not self.merged:
                found.update(ready)  # as a root that queries are divided by
                continue
            if ready and step.name in _FACTORS and not own:
                unscaled.update(dict.fromkeys(step.results, unscaled.get(fed[0], fed[0])))
            elif step.name in _VIEWS and fed[0] in unscaled:
                unscaled.update(dict.fromkeys(step.results, unscaled[fed[0]]))
            begun = any(i in info and info[i][1] and not info[i][2] for i in fed)
            contracts = step.name in _CONTRACTIONS and bool(own)
            if contracts and begun and not self.merged:  # a scale in front is a part of its own
                found.update(ready)
                continue
            slots = tuple(dict.fromkeys((*(k for each in known for k in each[1]), *own)))
            widened = step.name in _WIDENING and len(fed) == 1
            for result in step.results if slots or widened else ():
                made = known[0][0], slots, contracts or any(each[2] for each in known)
                if result in fixed:
                    self.ends[result] = made
                else:
                    info[result] = made
        output = [r.index for r in tree_leaves(self.trace.output) if isinstance(r, _Ref)]
        found.update(i for i in output if i in info and info[i][1])
        return {unscaled.get(i, i) for i in found}

    def _looks_up(self, step: _Step, known: list[_Info], meets: bool) -> bool:
        """Whether it goes on with what depends on ids alone, one by one.

        Behind a table that is no more than what is linear; what is added there has its own place.
        """
        base = known[0][0]
        if len({b for b, _, _ in known}) > 1 or not _is_of_ids(self.trace.values[base].tensor):
            return False
        if any(slots for _, slots, _ in known):
            return step.name in _CHOICES or (
                step.name in _LINEAR and not (meets and step.name in _JOINS) and _is_idle(step)
            )
        return not step.name.endswith("_like")

    def _is_linear(self, step: _Step, fed: list[int], known: list[_Info]) -> bool:
        if any(slots and _is_of_ids(self.trace.values[base].tensor) for base, slots, _ in known):
            return False
        if step.name not in _LINEAR or len({base for base, _, _ in known}) > 1:
            return False
        if len(fed) > 1 and step.name not in _JOINS:
            return False
        if "div" in step.name and step.given[0] != fed[0]:
            return False
        return _is_idle(step)


def _is_of_ids(tensor: Tensor) -> bool:
    return tensor.dtype in (torch.int64, torch.int32)


def _is_idle(step: _Step) -> bool:
    """Whether it is no dropout that drops anything."""
    if step.name != "dropout":
        return True
    training = step.kwargs.get("training", step.args[2] if len(step.args) > 2 else True)
    return not training


def _plan(trace: Trace, source: int, target: int) -> tuple[_Plan, Tensor, Tensor] | None:
    """How a map lies in its call, with its weight and bias; None where it is no map of tokens."""
    if _is_of_ids(trace.values[source].tensor):
        return _lookup(trace, source, target)
    given, made = trace.values[source].tensor.detach(), trace.values[target].tensor.detach()
    if (
        max(given.dim(), made.dim()) > _MOST_AXES
        or not given.is_floating_point()
        or not given.dim()
    ):
        return None
    axes = range(given.dim())
    last = given.dim() - 1
    ways = [
        (last,),
        *((a, b) for b in axes for a in axes if a < b and given.dim() > 3),
        *((a,) for a in range(last)),
    ]
    for features in ways:
        tokens = tuple(a for a in axes if a not in features)
        for places in itertools.permutations(range(made.dim()), len(tokens)):
            if any(given.shape[a] != made.shape[b] for a, b in zip(tokens, places, strict=True)):
                continue
            plan = _Plan(features, tokens, places)
            try:
                read = _read(trace, source, target, plan)
                if read is not None and _maps_so(trace, source, target, plan, *read):
                    return plan, *read
            except RuntimeError:
                continue
    return None


def _maps_so(
    trace: Trace, source: int, target: int, plan: _Plan, weight: Tensor, bias: Tensor
) -> bool:
    """Whether each token of any numbers is mapped by these alone."""
    given = trace.values[source].tensor
    rows = torch.linspace(-1, 1, given.numel()).reshape(-1, weight.shape[1]).to(given)
    with torch.no_grad():
        (made,) = trace.play([target], {source: _unrows(rows, given, plan)})
    again = rows @ weight.T + bias
    size = max(1.0, float(again.abs().max()))
    return bool((plan.result(made.detach()) - again).abs().max() <= 1e-4 * size)


def _read(
    trace: Trace, source: int, target: int, plan: _Plan, held: dict[int, Tensor] | None = None
) -> tuple[Tensor, Tensor] | None:
    """[units, features] and [units], from what a map answers to one feature at a time.

    `held`: tensors that stand for others meanwhile, such as parameters.
    """
    given = trace.values[source].tensor.detach()
    rows = plan.rows(given)
    count, width = rows.shape

    def answers(asked: Tensor) -> Tensor:
        with torch.no_grad():
            (made,) = trace.play([target], {**(held or {}), source: _unrows(asked, given, plan)})
        return plan.result(made.detach())

    nothing = answers(torch.zeros_like(rows))
    bias = nothing[0]
    if float((nothing - bias).abs().max()) > 1e-6 * max(1.0, float(bias.abs().max())):
        return None
    found: list[Tensor] = []
    for start in range(0, width, count):
        asked = torch.zeros_like(rows)
        own = range(start, min(width, start + count))
        for token, feature in enumerate(own):
            asked[token, feature] = 1.0
        found.append((answers(asked) - bias)[: len(own)])
    return torch.cat(found).T, bias


def _lookup(trace: Trace, source: int, target: int) -> tuple[_Plan, Tensor, Tensor] | None:
    """A table [rows, units] that ids are looked up in, as a map's weight, and no bias."""
    ids, made = trace.values[source].tensor, trace.values[target].tensor.detach()
    for places in itertools.permutations(range(made.dim()), ids.dim()):
        if [made.shape[a] for a in places] != list(ids.shape):
            continue
        plan = _Plan((), tuple(range(ids.dim())), places)
        try:
            table = _rows_of(trace, source, target, plan, MAX_ROWS + 1)
        except RuntimeError:
            return None
        if int(ids.max()) >= len(table) or len(table) > MAX_ROWS:
            return None
        if float((plan.result(made) - table[ids.flatten()]).abs().max()) <= 1e-5:
            return plan, table, torch.zeros(())
    return None


def _unrows(rows: Tensor, given: Tensor, plan: _Plan) -> Tensor:
    """[tokens, features] with the axes of a map's input."""
    order = [*plan.tokens, *plan.features]
    back = [order.index(a) for a in range(given.dim())]
    return rows.reshape([given.shape[a] for a in order]).permute(back)


@dataclass(frozen=True)
class _Part:
    """What stands for parameters: a map with its plan, or a tensor that inputs meet."""

    order: int
    key: Any
    source: int  # what it maps; itself, where it is no map
    met: int  # the first step that goes on from it
    held: dict[str, Tensor]
    plan: _Plan | None = None
    hops: tuple[int, int] = (0, 0)  # how many views before its ends a map begins and ends
    diagonal: bool = False


class Effective(nn.Module):
    """A module as if it held what its parameters come to, in the order in which they are met."""

    def __init__(self, module: nn.Module, calls: Sequence[tuple[Any, Any]], merged: bool) -> None:
        super().__init__()
        self._of = lambda: module  # held out of sight: its parameters are not these
        self._merged = merged
        module.eval()
        traces = [Trace(module, args, kwargs) for args, kwargs in calls]
        self._trace = traces[0]
        self._stable = set.intersection(*(trace.keys for trace in traces))
        affine = Affine(traces[0], self._stable, merged)
        parts, maps = _maps(affine)
        parts += _slots(affine, maps)
        self._parts: dict[Any, tuple[nn.Module, _Part]] = {}
        holders: dict[int, nn.Module] = {}
        before: _Part | None = None
        for part in sorted(parts, key=lambda part: (part.met, part.order)):
            holder = holders.setdefault(part.order, nn.Module())
            if before is not None and _go_together(before, part):
                holder = holders[part.order] = holders[before.order]
            before = part
            for leaf, tensor in part.held.items():
                holder.register_parameter(leaf, nn.Parameter(tensor.detach().clone()))
            self._parts[part.key] = holder, part
        for number, holder in enumerate(dict.fromkeys(holders.values())):
            self.add_module(f"part{number}", holder)

    def values(self, given: dict[str, Tensor]) -> dict[str, Tensor]:
        """What parameters of these values come to, by the names that they have here."""
        trace = self._trace
        held = {
            index: given[value.key[1]]
            for index, value in enumerate(trace.values)
            if value.step is None and value.key and value.key[0] == "p" and value.key[1] in given
        }
        found: dict[tuple[int, str], Tensor] = {}
        for holder, part in self._parts.values():
            read = _values(trace, part, held)
            found.update({(id(holder), leaf): tensor for leaf, tensor in read.items()})
        return {
            f"{name}.{leaf}": found[id(holder), leaf]
            for name, holder in self.named_children()
            for leaf, _ in holder.named_parameters()
        }

    def _found(self, affine: Affine) -> Iterator[tuple[_Part, int, int]]:
        """The known maps of a call, each with its ends there."""
        for key, source, target in _ends(affine):
            if key in self._parts:
                part = self._parts[key][1]
                ends = zip((source, target), part.hops, strict=True)
                source, target = (_behind(affine.trace, end)[hops] for end, hops in ends)
                yield part, source, target

    def train(self, mode: bool = True) -> Effective:
        """The module itself learns or not, too."""
        super().train(mode)
        self._of().train(mode)
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module would answer if its parameters came to what is held here."""
        trace = Trace(self._of(), args, kwargs)
        affine = Affine(trace, self._stable, self._merged)
        later: dict[int, Any] = {}
        for part, source, target in self._found(affine):
            holder = self._parts[part.key][0]
            later[target] = source, _made(holder, part, trace.values[target].tensor)
        env: dict[int, Tensor] = {}
        for index, value in enumerate(trace.values):
            if not value.is_fed and value.key in self._parts:
                holder, part = self._parts[value.key]
                env[index] = holder.get_parameter(next(iter(part.held)))
        wanted = [r.index for r in tree_leaves(trace.output) if isinstance(r, _Ref)]
        found = dict(zip(wanted, trace.play(wanted, env, later), strict=True))
        return tree_map(
            lambda leaf: found[leaf.index] if isinstance(leaf, _Ref) else leaf, trace.output
        )


def _go_together(one: _Part, other: _Part) -> bool:
    """Whether one scales each feature and the other, which comes next, shifts it."""
    alone = one.diagonal and other.diagonal and len(one.held) == len(other.held) == 1
    return alone and "weight" in one.held and "bias" in other.held


def _made(holder: nn.Module, part: _Part, like: Tensor) -> Callable[[Tensor], Tensor]:
    """What a map with these numbers makes of its input, in the axes of what it made before."""
    plan, shape = part.plan, like.shape
    assert plan is not None

    def make(given: Tensor) -> Tensor:
        held = {leaf: holder.get_parameter(leaf) for leaf in part.held}
        if _is_of_ids(given):
            return plan.placed(held["table"].flatten(1)[given.flatten()], given, shape)
        made = plan.rows(given)
        if "weight" in held and part.diagonal:
            made = made * held["weight"].flatten()
        elif "weight" in held:
            made = made @ held["weight"].reshape(-1, made.shape[-1]).T
        made = made + held["bias"].flatten() if "bias" in held else made
        return plan.placed(made, given, shape)

    return make


def _ends(affine: Affine) -> Iterator[tuple[Any, int, int]]:
    """The key of each map, where it begins and where it ends."""
    times: dict[Any, int] = {}
    for target, (source, slots, _) in affine.ends.items():
        times[slots] = times.get(slots, 0) + 1
        yield (slots, times[slots]), source, target


def _values(trace: Trace, part: _Part, held: dict[int, Tensor]) -> dict[str, Tensor]:
    """What a part comes to with these parameters."""
    if part.plan is None:
        with torch.no_grad():
            (tensor,) = trace.play([part.source], held)
        return {next(iter(part.held)): tensor.detach()}
    if _is_of_ids(trace.values[part.source].tensor):
        like = part.held["table"]
        rows = _rows_of(trace, part.source, part.order, part.plan, len(like), held)
        return {"table": rows.reshape(like.shape)}
    read = _read(trace, part.source, part.order, part.plan, held)
    if read is None:
        raise RuntimeError("what was one map is none with other numbers")
    weight, bias = read
    both = {"weight": weight.diag() if part.diagonal else weight, "bias": bias}
    return {leaf: both[leaf].reshape(like.shape) for leaf, like in part.held.items()}


def _rows_of(
    trace: Trace,
    source: int,
    target: int,
    plan: _Plan,
    most: int,
    held: dict[int, Tensor] | None = None,
) -> Tensor:
    """Up to so many rows of a table, one id after the other."""
    ids, made = trace.values[source].tensor, trace.values[target].tensor
    rows: list[Tensor] = []
    while len(rows) < most:
        try:
            with torch.no_grad():
                asked = {**(held or {}), source: torch.full_like(ids, len(rows))}
                (one,) = trace.play([target], asked)
        except (IndexError, RuntimeError):
            break
        if one.shape != made.shape:
            raise RuntimeError("no table")
        rows.append(plan.result(one.detach())[0])
    if len(rows) < 2:
        raise RuntimeError("no table")
    return torch.stack(rows)


def _behind(trace: Trace, index: int) -> list[int]:
    """A value, what it is a view of, what that is a view of, and so on."""
    found = [index]
    while True:
        at = trace.values[found[-1]].step
        step = None if at is None else trace.steps[at]
        fed = [] if step is None else [i for i in step.given if trace.values[i].is_fed]
        if step is None or step.name not in _VIEWS or len(fed) != 1 or len(found) > _MOST_VIEWS:
            return found
        found.append(fed[0])


def _maps(affine: Affine) -> tuple[list[_Part], dict[int, int]]:
    """The maps of a call; and from where to where they go."""
    parts: list[_Part] = []
    maps: dict[int, int] = {}
    for key, start, end in _ends(affine):
        part = _mapped(affine, key, start, end, maps)
        if part is not None:
            maps[part.order] = part.source
            parts.append(part)
    return parts, maps


def _mapped(affine: Affine, key: Any, start: int, end: int, taken: Container[int]) -> _Part | None:
    """The map from one value to another, or from and to what these are views of."""
    trace = affine.trace
    ahead = (number for number, step in enumerate(trace.steps) if end in step.given)
    met = next(ahead, len(trace.steps))
    for hops, target in enumerate(_behind(trace, end)):
        if target in taken or target == start:
            return None
        for back, source in enumerate(_behind(trace, start)):
            found = _plan(trace, source, target)
            if found is not None:
                held, diagonal = _held(trace, source, target, *found)
                return _Part(target, key, source, met, held, found[0], (back, hops), diagonal)
    return None


def _held(
    trace: Trace, source: int, target: int, plan: _Plan, weight: Tensor, bias: Tensor
) -> tuple[dict[str, Tensor], bool]:
    """What a map holds in its own axes, and whether it but scales each feature."""
    square = weight.shape[0] == weight.shape[1] > 1
    diagonal = square and not bool((weight - weight.diag().diag()).any())
    units, features = plan.axes(trace, source, target)
    if not plan.features:
        return {"table": weight.reshape([len(weight), *units])}, False
    shape = units if diagonal else [*units, *features]
    held = {"weight": (weight.diag() if diagonal else weight).reshape(shape)}
    if bool(bias.any()):
        held["bias"] = bias.reshape(units)
    if diagonal and bool(((weight.diag() - 1).abs() < 1e-5).all()):
        del held["weight"]
    return held, diagonal


def _slots(affine: Affine, maps: dict[int, int]) -> list[_Part]:
    """The tensors made of parameters that inputs meet outside of these maps."""
    trace = affine.trace
    ahead = [r.index for r in tree_leaves(trace.output) if isinstance(r, _Ref)]
    seen: set[int] = set()
    found: dict[Any, _Part] = {}
    while ahead:
        index = ahead.pop()
        if index in seen:
            continue
        seen.add(index)
        if index in maps:
            ahead.append(maps[index])
            continue
        at = trace.values[index].step
        if at is None or not trace.values[index].is_fed:
            continue
        step = trace.steps[at]
        ahead.extend(i for i in step.given if trace.values[i].is_fed)
        slots = list(dict.fromkeys(s for i in step.given for s in affine.slots(i)))
        for slot in reversed(slots) if step.name == "addcmul" else slots:  # scales come last
            value = trace.values[slot]
            if value.key not in found or found[value.key].order > index:
                found[value.key] = _Part(index, value.key, slot, at, {"weight": value.tensor})
    for number, part in enumerate(found.values()):  # as a norm's scale and shift: side by side
        beside = [p.order for p in list(found.values())[:number]].count(part.order)
        leaf = ("weight", "bias", *map(str, range(number)))[beside]
        found[part.key] = replace(part, held={leaf: part.held["weight"]})
    return list(found.values())
