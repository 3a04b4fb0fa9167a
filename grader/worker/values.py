"""Value trees, all that crosses the wall: plain types and plain copies; knows no wire."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch
from torch import Tensor

MAX_DEPTH = 50
MAX_NODES = 100_000
MAX_TENSORS = 1_000
MAX_TENSOR_BYTES = 128 * 2**20  # of what is sent, or given to a function of the examiner's
# Of what learner code gives back. The most that a solution gives: 100 kB. The examiner keeps many
# answers at once, and compares each number of them several times.
MAX_ANSWER_BYTES = 8 * 2**20
MAX_TEXT = 500_000  # characters of all strings of one tree
MAX_NAME = 200
MAX_AXES = 64
LAST = 0  # the handle of whatever object was made last

# Exactly the element types that safetensors carries.
WIRE_DTYPES: dict[str, torch.dtype] = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
    "U64": torch.uint64,
    "U32": torch.uint32,
    "U16": torch.uint16,
    "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}
WIRE_NAMES = {dtype: name for name, dtype in WIRE_DTYPES.items()}
# Taken while nobody has patched anything: a learner may replace what `torch` calls these.
_plain_tensor = torch.Tensor
_as_subclass = torch.Tensor.as_subclass
_is_nested = torch.Tensor.is_nested.__get__  # type: ignore[attr-defined]
_is_batched = torch._C._functorch.is_batchedtensor
_is_functional = torch._is_functional_tensor
without_overrides = torch._C.DisableTorchFunctionSubclass


class BadTree(Exception):
    """A skeleton that `pack` cannot have written, or a tree beyond the bounds."""


@dataclass(frozen=True)
class Config:
    """A bag of named fields; the learner's code receives an object with these attributes."""

    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Callback:
    """Stands for a function of the examiner's; only its number crosses the wall."""

    id: int
    function: Callable[..., Any] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Opaque:
    """Something of a learner's that does not cross the wall: only the name of its type does."""

    type_name: str


def simplify(tree: Any, most: int = MAX_ANSWER_BYTES) -> Any:
    """The same tree made of plain types and detached copies; what is none of them becomes Opaque.

    Beyond the bounds (`most` bytes of tensors) the whole tree becomes one Opaque: never an error,
    whatever a learner returns.
    """
    try:
        quota = ReadQuota(tensor_bytes=most)
        if type(tree) is _plain_tensor:  # by far the most frequent answer
            return _copy(tree, quota)
        return _simplify(tree, quota, 0)
    except BadTree as reason:
        return Opaque(f"{type_name(tree)} ({reason})")


class ReadQuota:
    """What one tree, or a message of `trees` of them, may still hold."""

    __slots__ = ("most_bytes", "nodes", "tensor_bytes", "tensors", "text")

    def __init__(self, trees: int = 1, tensor_bytes: int = MAX_TENSOR_BYTES) -> None:
        self.nodes = MAX_NODES * trees
        self.tensors = MAX_TENSORS * trees
        self.most_bytes = self.tensor_bytes = tensor_bytes * trees
        self.text = MAX_TEXT * trees

    def node(self, depth: int, count: int = 1) -> None:
        """Count parts of a tree; raise BadTree where it has too many, or they lie too deep."""
        self.nodes -= count
        if self.nodes < 0:
            raise BadTree(f"more than {MAX_NODES:,} parts")
        if depth > MAX_DEPTH:
            raise BadTree(f"nested more than {MAX_DEPTH} deep")

    def tensor(self, size: int) -> None:
        """Count a tensor of `size` bytes; raise BadTree where there are too many."""
        self.tensors -= 1
        self.tensor_bytes -= size
        if self.tensors < 0:
            raise BadTree(f"more than {MAX_TENSORS:,} tensors")
        if self.tensor_bytes < 0:
            holds = f"{megabytes(self.most_bytes - self.tensor_bytes)} of tensors"
            raise BadTree(f"it holds {holds}; at most {megabytes(self.most_bytes)} are read")

    def string(self, size: int) -> None:
        """Count a text of `size` characters; raise BadTree where there are too many."""
        self.text -= size
        if self.text < 0:
            raise BadTree(f"more than {MAX_TEXT:,} characters")


def _simplify(tree: Any, quota: ReadQuota, depth: int) -> Any:
    quota.node(depth)
    kind = type(tree)
    if tree is None or kind is bool:
        return tree
    if issubclass(kind, int):
        number = int.__index__(tree)
        return number if -(2**63) <= number < 2**63 else Opaque("int of more than 64 bits")
    if issubclass(kind, float):
        return float.__float__(tree)
    if issubclass(kind, str):
        text: str = str.__getitem__(tree, slice(None))
        quota.string(len(text))
        return text
    if issubclass(kind, _plain_tensor):
        return _copy(tree, quota)
    if issubclass(kind, tuple):
        return tuple(_parts(tuple.__iter__(tree), quota, depth + 1))
    if issubclass(kind, list):
        return _parts(list.__iter__(tree), quota, depth + 1)
    if issubclass(kind, dict):
        plain: dict[Any, Any] = {}
        for key, part in dict.items(tree):
            if type(key) is str:
                quota.string(len(key))
            elif type(key) is not int or not -(2**63) <= key < 2**63:
                return Opaque("dict with keys other than str and int")
            plain[key] = _simplify(part, quota, depth + 1)
        return plain
    if kind is torch.dtype or kind is Opaque:
        return tree
    return Opaque(type_name(tree))


def _parts(parts: Iterator[Any], quota: ReadQuota, depth: int) -> list[Any]:
    """Those of a list or tuple; where all are ints, as many thousand ids are, at once."""
    held = [*islice(parts, quota.nodes + 1)]
    is_ids = held and all(type(each) is int for each in held)
    if is_ids and min(held) >= -(2**63) and max(held) < 2**63:
        quota.node(depth, len(held))
        return held
    return [_simplify(part, quota, depth) for part in held]


def _copy(tensor: Tensor, quota: ReadQuota) -> Tensor | Opaque:
    """A detached dense copy of plain type, whatever subclass or layout a learner returned."""
    name = type_name(tensor)
    try:
        if _is_nested(tensor):  # before it is asked for a shape, of which it has none
            return Opaque(f"{name} (nested: several tensors in one)")
        if _is_batched(tensor):
            return Opaque(f"{name} (one that vmap is at work on, not its result)")
        if type(tensor) is not _plain_tensor:
            with without_overrides():
                tensor = _as_subclass(tensor, _plain_tensor)
        if odd := _oddity(tensor):
            return Opaque(f"{name} {odd}")
        # Before copying: an expanded tensor may claim far more elements than it stores.
        quota.tensor(tensor.numel() * tensor.element_size())
        dense = tensor.detach().resolve_conj().resolve_neg()
        if dense.device.type != "cpu":
            dense = dense.cpu()
        dense = dense.clone(memory_format=torch.contiguous_format)
        if _is_functional(dense) or dense.untyped_storage().nbytes() < dense.nbytes:
            return Opaque(f"{name} (without memory of its own)")
    except BadTree:
        raise
    except Exception as error:  # wrapper subclasses and functorch's tensors have no data to copy
        return Opaque(f"{name} ({type_name(error)})")
    return dense if type(dense) is _plain_tensor else Opaque(name)


def _oddity(tensor: Tensor) -> str:
    """What keeps a tensor from being read as rows of numbers; empty where nothing does."""
    if tensor.is_quantized:
        return f"(quantised, of {tensor.dtype})"
    if tensor.layout is not torch.strided or tensor.is_meta:
        return f"({tensor.layout}, on {tensor.device})"
    if tensor.dtype not in WIRE_NAMES:
        return f"of {tensor.dtype}"
    return f"of {tensor.dim()} axes" if tensor.dim() > MAX_AXES else ""


def megabytes(size: int) -> str:
    """A number of bytes for people, rounded up: 2 MB for one more than a megabyte."""
    return f"{-(-size // 2**20):,} MB"


def plain_tensor(thing: Any) -> Tensor | None:
    """A plain copy of a tensor; None for anything that cannot cross the wall as one."""
    copy = simplify(thing)
    return copy if isinstance(copy, _plain_tensor) else None


def type_name(thing: object) -> str:
    """The name of an object's type as short printable text."""
    try:
        name = type.__getattribute__(type(thing), "__name__")
        return printable(str.__getitem__(name, slice(0, MAX_NAME)))
    except Exception:  # a metaclass may lie about its name
        return "object"


def printable(text: str) -> str:
    """`text` with control characters and lone surrogates written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)
