"""A learner's parameters and recipes that read role tensors from them; does no mathematics."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import torch
from torch import Tensor

from ...candidate.candidate import CandidateModule

_MASK_VALUES = 2
Values = Mapping[str, Tensor]
Read = Callable[[Values], Tensor]  # the same recipe reads values and gradients
Layout = dict[str, Read]


@dataclass(frozen=True)
class Param:
    """One parameter, or a part of one: name, shape without axes of size 1, what it began as."""

    name: str
    shape: tuple[int, ...]
    owner: str  # path of the module that registers it
    leaf: str  # its last name there
    order: int
    ones: bool  # began as all ones
    zeros: bool  # began as all zeros
    unused: bool = False  # no result of the module depends on it
    fresh: Tensor | None = field(default=None, compare=False, repr=False)
    whole: Param | None = None  # what it is a part of
    cut: tuple[int, int, int] = (0, 0, 0)  # along which axis of that, from where, how many
    pieces: tuple[Param, ...] = ()  # what it is put together from, along an axis in front
    joint: int | None = None  # or along this one of theirs; −1 where they are added

    @property
    def numel(self) -> int:
        size = 1
        for length in self.shape:
            size *= length
        return size

    def read(self) -> Read:
        """The recipe that gives it."""
        name, shape = self.name, self.shape
        if self.whole is not None:
            whole, cut = self.whole.read(), self.cut
            return lambda values: whole(values).narrow(*cut).reshape(shape)
        if self.pieces and self.joint is not None:
            return _joined([piece.read() for piece in self.pieces], self.joint)
        if self.pieces:
            return virtual(self.pieces)[0]
        return lambda values: values[name].reshape(shape)

    def part(self, axis: int, start: int, length: int, name: str, owner: str) -> Param:
        """A stretch along one axis; an axis of which one is left is dropped."""
        kept = (length,) if length > 1 else ()
        shape = (*self.shape[:axis], *kept, *self.shape[axis + 1 :])
        fresh = None if self.fresh is None else self.fresh.reshape(self.shape)
        fresh = None if fresh is None else fresh.narrow(axis, start, length)
        return Param(
            name,
            shape,
            owner,
            name[len(owner) + 1 :] if owner else name,
            self.order,
            self.ones if fresh is None else bool((fresh == 1).all()),
            self.zeros if fresh is None else bool((fresh == 0).all()),
            self.unused,
            fresh,
            self,
            (axis, start, length),
        )


def together(pieces: Sequence[Param], name: str, joint: int | None = None) -> Param:
    """Several parameters of one role as one: of one shape, with an axis in front.

    Or `joint` along an axis of theirs, in which they may differ; −1 adds them up.
    """
    fresh = [p.fresh.reshape(p.shape) for p in pieces if p.fresh is not None and joint is None]
    owner, _, leaf = name.rpartition(".")
    return Param(
        name,
        _shape_of([piece.shape for piece in pieces], joint),
        owner,
        leaf,
        pieces[0].order,
        all(p.ones for p in pieces),
        all(p.zeros for p in pieces),
        all(p.unused for p in pieces),
        torch.stack(fresh) if len(fresh) == len(pieces) else None,
        pieces=tuple(pieces),
        joint=joint,
    )


def _shape_of(shapes: Sequence[tuple[int, ...]], joint: int | None) -> tuple[int, ...]:
    if joint is None:
        return (len(shapes), *shapes[0])
    length = sum(shape[joint] for shape in shapes)
    return shapes[0] if joint < 0 else (*shapes[0][:joint], length, *shapes[0][joint + 1 :])


def _joined(reads: Sequence[Read], axis: int) -> Read:
    if axis < 0:
        return lambda values: torch.stack([read(values) for read in reads]).sum(0)
    return lambda values: torch.cat([read(values) for read in reads], axis)


# A weight that `register_parametrization` computes from one tensor stands beside its bias still.
_PARAMETRIZED = re.compile(r"\bparametrizations\.(\w+)\.original$")


def parameters_of(module: CandidateModule, fresh: Values) -> list[Param]:
    """All different parameters of a module as registered; those it holds loosely come last."""
    found: list[Param] = []
    infos = [
        (p.name, p.shape)
        for p in module.parameters
        if p.alias_of is None and (p.requires_grad or not _is_constant(fresh.get(p.name)))
    ]
    infos += [(p.path, p.shape) for p in module.loose if p.kind == "parameter"]
    for name, shape in infos:
        value = fresh.get(name)
        if value is None or not _is_readable(value):
            continue  # it can play no role
        owner, _, leaf = _PARAMETRIZED.sub(r"\1", name).rpartition(".")
        squeezed = tuple(size for size in shape if size != 1)
        ones = bool((value == 1).all())
        zeros = bool((value == 0).all())
        found.append(Param(name, squeezed, owner, leaf, len(found), ones, zeros, fresh=value))
    return found


def _is_readable(value: Tensor) -> bool:
    """Whether there are real numbers in it with which PyTorch can calculate."""
    return value.numel() > 0 and value.is_floating_point() and value.element_size() > 1


def _is_constant(frozen: Tensor | None) -> bool:
    """Whether a parameter that does not learn is there instead of a buffer: a number, or a mask.

    A table or weight that should learn is a mistake, which is found by its missing gradient.
    """
    if frozen is None or frozen.numel() == 1 or not _is_readable(frozen):
        return True
    return frozen.dim() > 1 and frozen.unique().numel() <= _MASK_VALUES


def randomised(
    params: Sequence[Param], fresh: Values, generator: torch.Generator
) -> dict[str, Tensor]:
    """Values that hide nothing: activations near 1, scores apart, odd scales and shifts."""
    values = {}
    for param in params:
        shape = fresh[param.name].shape
        noise = torch.randn(shape, generator=generator)
        if len(param.shape) < 2:
            values[param.name] = noise * 0.5 + 0.3
        elif len(param.shape) == 2 and min(param.shape) < 30 and max(param.shape) < 30:
            values[param.name] = noise * (1.3 / max(param.shape) ** 0.5)
        else:
            values[param.name] = noise * (1.3 / min(35, max(param.shape)) ** 0.5)
    return values


def virtual(params: Sequence[Param]) -> tuple[Read, tuple[int, ...]]:
    """Parameters of one shape as one tensor with a list axis in front (none for a single one)."""
    if len(params) == 1:
        return params[0].read(), params[0].shape
    reads = [param.read() for param in params]
    shape = (len(params), *params[0].shape)
    return (lambda values: torch.stack([read(values) for read in reads])), shape


def tokens_of(name: str) -> set[str]:
    """The words that a name is made of: `self_attn.W_q.weight` → self, attn, w, q, weight."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return {token for token in re.split(r"[^a-zA-Z]+", spaced.lower()) if token}


_HINTS: dict[str, tuple[str, ...]] = {
    "q": ("q", "query", "queries", "qry", "wq", "toqueries", "toq", "bq", "qw", "que"),
    "k": ("k", "key", "keys", "wk", "tokeys", "tok", "bk", "kw"),
    "v": ("v", "value", "values", "val", "wv", "tovalues", "tov", "bv", "vw"),
    "o": (
        "o",
        "out",
        "output",
        "unify",
        "unifyheads",
        "wo",
        "dense",
        "proj",
        "merge",
        "final",
        "bo",
        "ow",
        "combine",
    ),
}


@lru_cache(maxsize=4096)
def hinted(name: str, role: str) -> int:
    """How strongly a name speaks for a role: 2 if a word says so, 1 if one begins so, else 0."""
    words = tokens_of(name)
    if words & set(_HINTS[role]):
        return 2
    return int(
        any(word[:1] == role or word[-1:] == role for word in words - {"weight", "bias", "w", "b"})
    )
