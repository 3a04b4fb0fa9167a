"""Writes a trained model into one HTML file that runs in any browser, offline; it trains nothing.

`share(model, "mine.html", vocab)` keeps the model's own program as torch.export gives it, with its
weights, and a small interpreter in JavaScript (`page/operators.js`) that replays it.
"""

import base64
import html
import io
import json
import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from operator import getitem
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

_PAGE = Path(__file__).parent / "page"
_OPERATORS = (_PAGE / "operators.js").read_text(encoding="utf-8")
_KNOWN = frozenset(re.findall(r'"([\w.]+)": ', _OPERATORS.partition("const OPERATORS")[2]))
_KINDS = {torch.bool: "b", **dict.fromkeys((torch.int64, torch.int32, torch.uint8), "i")}
_STORED = {"f": torch.float32, "i": torch.int32, "b": torch.uint8}
_MOST_BYTES = 5_000_000
_CLOSE = 1e-4


def share(
    model: nn.Module,
    path: str | Path,
    vocab: Mapping[str, int],
    *,
    labels: Sequence[str] = (),
    longest: int = 24,
    title: str = "A transformer of my own",
    start: str = "time flies like an arrow",
) -> Path:
    """Write a page in which the model answers to what is typed, and shows where its heads look.

    model:   model(input_ids) gives logits [1, seq, vocab] (it writes, or fills in [MASK]) or
             [1, labels] (it classifies), for input_ids [1, seq]; on whatever device
    vocab:   piece → id; words are cut as WordPiece does
    labels:  names of the classes, where it classifies
    longest: tokens that are read at most; more than one
    raises:  ValueError where the model does something that cannot be replayed, or is too large;
             then nothing is written
    """
    was_training = model.training
    home = next((weight.device for weight in model.parameters()), torch.device("cpu"))
    model.eval().to("cpu")
    try:
        # attention in steps, so that it can be seen
        with torch.device("cpu"), sdpa_kernel(SDPBackend.MATH), warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of PyTorch, about its own code
            programs, held = _recorded(model, len(vocab), longest)
            with torch.no_grad():
                answer = model(_some(len(vocab), 2, 0))
    finally:
        model.train(was_training).to(home)
    facts = {
        "programs": programs,
        "weights": [_stored(tensor) for tensor in held],
        "vocab": dict(vocab),
        "writes": answer.dim() == 3,
        "labels": list(labels) or [f"class {number}" for number in range(answer.shape[-1])],
        "longest": longest,
        "start": start,
    }
    page = _page(title, facts)
    if len(page.encode()) > _MOST_BYTES:
        numbers = sum(tensor.numel() for tensor in held)
        raise ValueError(f"{numbers:,} numbers make a page of over 5 MB: share a smaller model")
    Path(path).write_text(page, encoding="utf-8")
    return Path(path)


def _page(title: str, facts: Mapping[str, Any]) -> str:
    """The page with all that it carries."""
    written = {
        "TITLE": html.escape(title),
        "OPERATORS": _OPERATORS,
        "SCRIPT": (_PAGE / "page.js").read_text(encoding="utf-8"),
        "FACTS": json.dumps(facts, separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = (_PAGE / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: written[found[1]], page)


def _recorded(model: nn.Module, words: int, longest: int) -> tuple[list[Any], list[Tensor]]:
    """One program for all lengths; where the code fixes the length, one for each."""
    seq = torch.export.Dim("seq", min=2, max=longest)
    example = _some(words, min(5, longest), 0)
    held = _Held()
    aside = io.StringIO()  # what it cannot follow it prints: nothing that a learner has to read
    try:
        with redirect_stderr(aside), redirect_stdout(aside):
            exported = torch.export.export(
                model, (example,), dynamic_shapes=({1: seq},), strict=False
            )
        module = exported.module()
        follows = all(_agree(module, model, words, length) for length in range(2, longest + 1))
    except Exception:  # a length is written into its loops, or a tensor's value is asked for
        follows = False
    if follows:
        return [_exported(exported, held)], held.tensors
    programs: list[Any] = [None, None]
    for length in range(2, longest + 1):
        run = _Run(model, _some(words, length, 0))
        if not _agree(run, model, words, length):
            raise ValueError("what it computes depends on its tokens in a way that is not replayed")
        programs.append(run.program(held))
    return programs, held.tensors


def _some(words: int, length: int, seed: int) -> Tensor:
    """Ids [1, length], drawn."""
    return torch.randint(words, (1, length), generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def _agree(replayed: Callable[[Tensor], Tensor], model: nn.Module, words: int, length: int) -> bool:
    """Whether it gives the model's answers for other tokens."""
    tries = [_some(words, length, seed) for seed in (1, 2)]
    return all(torch.allclose(replayed(ids), model(ids), 0, _CLOSE) for ids in tries)


class _Held:
    """The weights of a page; tied ones are kept once."""

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []
        self._places: dict[Any, int] = {}

    def place(self, tensor: Tensor) -> list[Any]:
        """How a program names this weight."""
        same = tensor.data_ptr(), tensor.shape, tensor.stride()
        if same not in self._places:
            self._places[same] = len(self.tensors)
            self.tensors.append(tensor.detach())
        return ["$", "weight", self._places[same]]


def _exported(exported: Any, held: _Held) -> dict[str, Any]:
    """What torch.export gives, as plain lists."""
    exported, graph = _in_few_operators(exported)
    given = (node.name for node in exported.graph.nodes if node.op == "placeholder")
    signature = exported.graph_signature
    names = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}
    names |= signature.inputs_to_lifted_tensor_constants
    state = {**exported.state_dict, **exported.constants}
    places: dict[Any, list[Any]] = {}
    steps: list[Any] = []
    for node in graph.nodes:
        if node.op == "placeholder":
            own = names.get(next(given))
            places[node] = ["$", "ids"] if own is None else held.place(state[own])
        elif node.op == "call_function":
            steps.append((node.target, node.args, node.kwargs))
            places[node] = ["$", "step", len(steps) - 1]
        elif node.op == "output":
            (output,) = node.args[0]
    return _listed(steps, output, places.__getitem__)


def _in_few_operators(exported: Any) -> tuple[Any, torch.fx.Graph]:
    """The program, and its steps in PyTorch's core operators.

    Where nothing is changed in place, it is run once with tensors of no numbers: that takes a sixth
    of the time that torch.export needs for all programs.
    """
    if any(map(_is_more_than_a_value, exported.graph.nodes)):
        exported = exported.run_decompositions()
        return exported, exported.graph
    given = [node.meta["val"] for node in exported.graph.nodes if node.op == "placeholder"]
    few = dict(torch.export.default_decompositions().items())
    with torch.no_grad(), given[-1].fake_mode:
        run = torch.fx.Interpreter(exported.graph_module).run
        return exported, make_fx(run, decomposition_table=few)(*given).graph


def _is_more_than_a_value(node: torch.fx.Node) -> bool:
    """Whether this step changes a tensor, or is a program of its own."""
    if isinstance(node.target, torch._ops.OpOverload):
        return bool(node.target._schema.is_mutable)
    return node.op == "get_attr" or isinstance(node.target, torch._ops.HigherOrderOperator)


class _Run(TorchDispatchMode):
    """The operators of one run, which can be replayed with other tokens of the same number."""

    def __init__(self, model: nn.Module, ids: Tensor) -> None:
        super().__init__()
        self._steps: list[tuple[Any, tuple[Any, ...], dict[str, Any], Any]] = []
        self._ids = ids
        with torch.no_grad(), self:
            self._output = torch.func.functionalize(model)(ids)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        if func is not torch.ops.aten._local_scalar_dense.default:
            self._steps.append((func, args, kwargs or {}, result))
        return result

    def __call__(self, ids: Tensor) -> Tensor:
        """The answer for other tokens."""
        values = {id(self._ids): ids}
        for func, args, kwargs, result in self._steps:
            given = tree_map(lambda each: values.get(id(each), each), (args, kwargs))
            found = func(*given[0], **given[1])
            for old, new in zip(tree_leaves(result), tree_leaves(found), strict=True):
                values[id(old)] = new
        return values[id(self._output)]

    def program(self, held: _Held) -> dict[str, Any]:
        """The same as plain lists."""
        places: dict[int, list[Any]] = {id(self._ids): ["$", "ids"]}
        steps: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = []
        for func, args, kwargs, result in self._steps:
            steps.append((func, args, kwargs))
            whole = result if isinstance(result, Tensor) else torch.empty(0)  # stands for several
            places[id(whole)] = ["$", "step", len(steps) - 1]
            for place, part in enumerate(() if whole is result else result):
                steps.append((getitem, (whole, place), {}))
                places[id(part)] = ["$", "step", len(steps) - 1]
        return _listed(steps, self._output, lambda each: places.get(id(each)) or held.place(each))


def _listed(steps: Sequence[Any], output: Any, place: Callable[[Any], list[Any]]) -> dict[str, Any]:
    """A program as JSON, without what its answer does not need.

    Raises ValueError for an operator that the page does not know.
    """
    listed = [[_name(step[0]), _written(_arguments(*step), place)[1]] for step in steps]
    answer = _written(output, place)
    kept: set[int] = set()
    waiting = [answer]
    while waiting:
        part = waiting.pop()
        if part[:2] == ["$", "step"] and part[2] not in kept:
            kept.add(part[2])
            part = listed[part[2]][1]
        waiting += [each for each in part if isinstance(each, list)]
    unknown = sorted({listed[number][0] for number in kept} - _KNOWN)
    if unknown:
        raise ValueError(f"the page cannot replay {', '.join(unknown)}")
    return {
        "steps": [step if number in kept else ["skip", []] for number, step in enumerate(listed)],
        "output": answer,
    }


def _name(target: Any) -> str:
    """An operator's name as in `operators.js`: with its overload only where that decides."""
    if not isinstance(target, torch._ops.OpOverload):
        return f"python.{getattr(target, '__name__', target)}"
    name, overload = target._schema.name.removeprefix("aten::"), target._overloadname
    return full if (full := f"{name}.{overload}") in _KNOWN else name


def _arguments(target: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
    """All arguments in the order of the operator's schema."""
    if not isinstance(target, torch._ops.OpOverload):
        return list(args)
    missing = target._schema.arguments[len(args) :]
    return [*args, *(kwargs.get(each.name, each.default_value) for each in missing)]


def _written(value: Any, place: Callable[[Any], list[Any]]) -> Any:
    """A value as JSON: `["$", …]` for a tensor, `["list", …]`, `["kind", …]`, `["number", …]`."""
    if isinstance(value, (torch.fx.Node, Tensor)):
        return place(value)
    if isinstance(value, (list, tuple)):
        return ["list", [_written(each, place) for each in value]]
    if isinstance(value, torch.dtype):
        return ["kind", _KINDS.get(value, "f")]
    if isinstance(value, float) and not math.isfinite(value):
        return ["number", str(value)]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return None if value > 0 else -(2**53)  # the end of a slice
    return value if isinstance(value, (bool, int, float, str)) else None


def _stored(tensor: Tensor) -> list[Any]:
    kind = _KINDS.get(tensor.dtype, "f")
    numbers = tensor.to("cpu", _STORED[kind]).contiguous().numpy()
    return [kind, list(tensor.shape), base64.b64encode(numbers.tobytes()).decode("ascii")]
