"""Calls a learner's function or module once and reports all that a check may ask about the call."""

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch._ops import HigherOrderOperator
from torch.utils import swap_tensors
from torch.utils._python_dispatch import TorchDispatchMode

from . import recorder
from .arguments import Arguments
from .inventory import parameters
from .uncompiled import hide
from .values import plain_tensor, simplify, without_overrides

MAX_OPERATORS = 1_000


class _Listener(TorchDispatchMode):
    """Hears of each operator before it runs."""

    supports_higher_order_operators = True  # else PyTorch names this object and its address

    def hear(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """An operator such as `aten::mul` is about to run with these arguments."""
        raise NotImplementedError

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        # One that is given functions, such as flex_attention, runs them where no mode looks, so
        # that nobody could tell what it computes.
        if isinstance(func, HigherOrderOperator):
            raise RuntimeError(
                f"{func.name()} is a ready-made operator that runs functions inside of itself, "
                "where the grader cannot look: write out what it does with ordinary tensor "
                "operations"
            )
        self.hear(func._schema.name, args, kwargs or {})
        return func(*args, **(kwargs or {}))


hide(_Listener.__torch_dispatch__)


class Operators(_Listener):
    """Records the names of the operators that run under it, each once."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, None] = {}

    def hear(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Note it."""
        if len(self.names) < MAX_OPERATORS:
            self.names[name] = None


_INDEXING = ("aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_")


class OneDevice(_Listener):
    """Raises where an operator gets whole tensors of two devices, also where meta kernels do not.

    Single numbers may live anywhere, as on a real device.
    """

    def hear(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse it, or let it run."""
        if "copy_" in name or "to_copy" in name:
            return
        if name in _INDEXING:  # x[ids]: PyTorch itself moves ids from the CPU
            args = (args[0], *args[2:])
        tensors = list(_tensors((*args, *kwargs.values())))
        if any(t.is_meta for t in tensors) and any(map(_is_elsewhere, tensors)):
            raise RuntimeError("Expected all tensors to be on the same device, but found two")


def _tensors(given: Sequence[Any]) -> Iterator[Tensor]:
    """Those that an operator is given, also in lists: it is given no deeper ones."""
    for each in given:
        if isinstance(each, Tensor):
            yield each
        elif isinstance(each, list | tuple):
            yield from (part for part in each if isinstance(part, Tensor))


def _is_elsewhere(tensor: Tensor) -> bool:
    """Whether it is no single number, nor a float, and not on the meta device."""
    return not tensor.is_meta and tensor.numel() > 1 and not tensor.is_floating_point()


_Prepare = Callable[..., Arguments]


def call(
    function: Any, prepare: _Prepare, options: dict[str, Any], entering: Callable[[str], None]
) -> dict[str, Any]:
    """The result of one `call` request.

    `prepare` makes fresh arguments, as `Arguments` has them; `entering` is told of each stage that
    can fail before it begins.
    """
    prepare = partial(prepare, strided=bool(options.get("strided")))
    seed = options.get("seed")
    cotangent = options.get("cotangent")
    if options.get("train") is not None and isinstance(function, nn.Module):
        function.train(bool(options["train"]))
    if options.get("meta"):
        return _on_meta(function, prepare, entering)

    tracked = cotangent is not None or bool(options.get("tracked"))
    given = prepare(gradients=tracked)
    if options.get("others_first") and not _called_with_others(function, given):
        given = prepare(gradients=tracked)
    operators = Operators() if options.get("trace") else None
    if seed is not None:
        # torch.manual_seed asks every kind of accelerator too, which takes 60 times as long.
        torch.default_generator.manual_seed(seed)
    # What is kept from call to call is kept where nobody trains.
    tracking = torch.no_grad() if options.get("others_first") else torch.enable_grad()
    with operators or nullcontext(), tracking:
        output = function(*given.args, **given.kwargs)
    single = output if issubclass(type(output), Tensor) else None
    with without_overrides():  # a subclass has no say in what is seen of it
        value = simplify(output)
        result = _result(
            value,
            mutated=given.mutated(),
            operators=[*operators.names, *recorder.seen()] if operators else [],
        )
        # Of the copy: a nested tensor has no shape that could be asked for.
        shape = value.shape if isinstance(value, Tensor) else None
        if cotangent is not None and single is not None and shape == cotangent.shape:
            entering("backward")
            result |= _gradients(single, cotangent, given.leaves, function)
            if operators:
                result["operators"] = list(dict.fromkeys([*result["operators"], *recorder.seen()]))
    return result


def _called_with_others(function: Any, given: Arguments) -> bool:
    """Call it while the same tensors hold other numbers; False where these do not come back."""
    parts = (*given.tensors, *parameters(function).values())
    kept = [part.detach().clone() for part in parts]
    with torch.no_grad():
        for part, old in zip(parts, kept, strict=True):
            turned = old.flip(0) if old.dim() else old  # ids stay ids, masks stay masks
            part.copy_(-0.5 * turned if part.is_floating_point() else turned)
    try:
        with torch.no_grad():
            function(*given.args, **given.kwargs)
    except Exception:
        pass  # these numbers were not promised
    if any(part.shape != old.shape for part, old in zip(parts, kept, strict=True)):
        return False
    with torch.no_grad():
        for part, old in zip(parts, kept, strict=True):
            part.copy_(old)
    return True


def _on_meta(function: Any, prepare: _Prepare, entering: Callable[[str], None]) -> dict[str, Any]:
    """Whether it goes through on another device; no value."""

    def run(it: Any) -> None:
        entering("meta")
        given = prepare(device="meta")
        # Without gradients: what an error still held of a graph would hold the tensors too.
        with OneDevice(), torch.no_grad():
            it(*given.args, **given.kwargs)

    if not isinstance(function, nn.Module):
        run(function)
        return _result(None)
    entering("copy")
    try:
        run(copy.deepcopy(function).to("meta"))  # whatever it keeps of this call goes with the copy
    except Exception:
        # What a lambda of the copy has hold of is still the original's: then the original moves.
        with _moved(function):
            run(function)
    return _result(None)


@contextmanager
def _moved(module: nn.Module) -> Iterator[None]:
    """A module with its very tensors on the meta device; afterwards it holds what it held."""
    holders = [vars(part) for part in module.modules()]
    holders += [each for held in holders for each in held.values() if isinstance(each, dict)]
    kept = [(held, dict(held)) for held in holders]
    swapped: list[tuple[Tensor, Tensor]] = []
    try:
        for tensor in (*module.parameters(), *module.buffers()):
            twin: Tensor = torch.empty_like(tensor, device="meta")
            if isinstance(tensor, nn.Parameter):
                twin = nn.Parameter(twin, tensor.requires_grad)
            swap_tensors(tensor, twin)
            swapped.append((tensor, twin))
        yield
    finally:
        instead = {id(one): other for one, other in swapped if not _swapped_back(one, other)}
        for attributes, before in kept:
            attributes.clear()
            attributes.update({name: instead.get(id(it), it) for name, it in before.items()})


def _swapped_back(tensor: Tensor, twin: Tensor) -> bool:
    """False where somebody holds on to the tensor: then its twin, with its numbers, stands in."""
    try:
        swap_tensors(tensor, twin)
    except RuntimeError:
        return False
    return True


def _result(
    value: Any, mutated: Sequence[int] = (), operators: Sequence[str] = ()
) -> dict[str, Any]:
    answer = {"value": value, "mutated": list(mutated), "operators": list(operators)}
    return {**answer, "grads": None, "parameter_grads": None}


def _gradients(
    output: Tensor, cotangent: Tensor, leaves: list[Tensor], function: Any
) -> dict[str, Any]:
    """Gradients of the float arguments and of the parameters; None where nothing flows."""
    named = parameters(function)
    wanted = [*leaves, *(p for p in named.values() if p.requires_grad)]
    flows = bool(output.requires_grad and output.is_floating_point() and wanted)
    found: tuple[Tensor | None, ...] = (None,) * len(wanted)
    if flows:
        # Of a number: given a cotangent, PyTorch loads SymPy first.
        number = (output * cotangent.to(output)).sum()  # its dtype, and its device, maybe a GPU
        found = torch.autograd.grad(number, wanted, allow_unused=True, create_graph=False)
    given = iter(found)
    grads = [_dense(next(given)) for _ in leaves]
    parameter_grads = {
        name: _dense(next(given)) if p.requires_grad else None for name, p in named.items()
    }
    return {"grads": grads, "parameter_grads": parameter_grads}


def _dense(gradient: Tensor | None) -> Tensor | None:
    """A plain copy; an nn.Embedding may have been asked for sparse gradients."""
    if gradient is not None and gradient.layout is not torch.strided:
        gradient = gradient.to_dense()
    return plain_tensor(gradient)
