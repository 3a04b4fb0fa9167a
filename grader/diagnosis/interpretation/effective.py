"""Reads a module by what its parameters come to, where they are laid out in no ordinary way.

The worker shows the tensors that inputs meet and the maps that are made of several. It is not
believed: the reading has to give the module's own answers, and each role has to be free.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate, CandidateError, CandidateModule, Outcome
from ..gradients import gradients_of
from .evidence import Evidence, asked
from .layouts import evaluate
from .module_subject import ModuleSubject
from .parameters import Values
from .search import interpret, values_fit

_DIRECTIONS, _STEP = 8, 2e-3
_LOCKED, _NEIGHBOURS = 2e-3, 60
_CLOSE = 3e-2  # of a slope taken from two values


def effective_evidence(
    subject: ModuleSubject, candidate: Candidate, written: Evidence, generator: Generator
) -> Evidence | None:
    """Evidence on what the parameters come to; None where that is read in no way either."""
    for merged in (False, True):
        try:
            found = _Effective(candidate, written, merged).evidence(subject, generator)
        except CandidateError:
            found = None
        finally:
            written.module.write(written.values)
        if found is not None:
            return found
    return None


class _Effective:
    """A module as the worker shows it, in these calls."""

    def __init__(self, candidate: Candidate, written: Evidence, merged: bool) -> None:
        self._candidate, self._written, self._merged = candidate, written, merged
        probes = [*written.probes, *([written.single[0]] if written.single else [])]
        self._calls = [{"args": p.args, "kwargs": p.kwargs} for p in probes]

    def evidence(self, subject: ModuleSubject, generator: Generator) -> Evidence | None:
        written = self._written
        module, now = self._shown(written.values)
        _, start = self._shown(written.fresh)
        fresh = {name: _alike(start.get(name), value) for name, value in now.items()}
        found = asked(subject, self._candidate, module, fresh, generator)
        reading = interpret(subject, found)
        if reading is None:
            return None
        outcomes = zip(written.probes, written.answers, strict=True)
        pairs = [(p, a) for p, a in outcomes if isinstance(a.outcome, Outcome)]
        if not values_fit(subject, evaluate(reading.parts, now), pairs, frozenset()):
            return None
        steps = list(self._steps(now, generator))
        if len(steps) < _DIRECTIONS:
            return None
        roles = list(_leaves(evaluate(reading.parts, now)))
        moved = [_flat(evaluate(reading.parts, there)) for _, there in steps]
        if not _is_free(torch.stack(moved) - _flat(evaluate(reading.parts, now))):
            return None
        if self._learnable() < sum(_freedom(role) for role in roles):
            return None
        agree = reading.gradients_agree and self._slopes_agree(subject, reading.parts, now, steps)
        for key, other in found.found.items():
            if other is reading:
                found.found[key] = replace(reading, gradients_agree=agree)
        found.written = written
        return found

    def _shown(self, values: Values) -> tuple[CandidateModule, dict[str, Tensor]]:
        """What parameters of these values come to."""
        module = self._written.module
        module.write(values)
        request = {"handle": module.handle, "calls": self._calls, "merged": self._merged}
        made = CandidateModule(self._candidate, self._candidate.request("effective", **request))
        return made, made.read()

    def _steps(
        self, now: Values, generator: Generator
    ) -> Iterator[tuple[dict[str, Tensor], dict[str, Tensor]]]:
        """Small steps of what learns, and what the parameters come to then."""
        learns = {p.name for p in self._written.module.parameters if p.requires_grad}
        learns |= {p.path for p in self._written.module.loose}
        for _ in range(_DIRECTIONS):
            step = {
                name: _STEP * torch.randn(value.shape, generator=generator) * (name in learns)
                for name, value in self._written.values.items()
            }
            values = {name: value + step[name] for name, value in self._written.values.items()}
            _, there = self._shown(values)
            if {n: t.shape for n, t in there.items()} != {n: t.shape for n, t in now.items()}:
                return
            yield step, there

    def _learnable(self) -> int:
        module = self._written.module
        used = {p.name for p in self._written.params if not p.unused}
        return sum(
            self._written.values[p.name].numel()
            for p in module.parameters
            if p.requires_grad and p.name in used
        ) + sum(self._written.values[p.path].numel() for p in module.loose if p.path in used)

    def _slopes_agree(
        self, subject: ModuleSubject, parts: Any, now: Values, steps: list[Any]
    ) -> bool:
        """Whether the parameters' gradients are those of what they come to, by the chain rule."""
        for probe, answer in zip(self._written.probes, self._written.answers, strict=True):
            outcome = answer.outcome
            if answer.cotangent is None or not isinstance(outcome, Outcome):
                continue
            given = outcome.parameter_grads or {}
            leaves = {name: value.clone().requires_grad_() for name, value in now.items()}
            expected = subject.run(evaluate(parts, leaves), *probe.args, **probe.kwargs)
            found = gradients_of(expected, list(leaves.values()), answer.cotangent)
            wanted = dict(zip(leaves, found, strict=True))
            for step, there in steps:
                own = [_product(given.get(name), by) for name, by in step.items()]
                right = [_product(wanted[name], there[name] - now[name]) for name in now]
                size = max(map(abs, (*own, *right)))
                if abs(sum(own) - sum(right)) > _CLOSE * max(size, 1e-6):
                    return False
        return True


def _product(one: Tensor | None, other: Tensor) -> float:
    if one is None or one.shape != other.shape:
        return 0.0
    return float((one.double() * other.double()).sum())


def _alike(start: Tensor | None, value: Tensor) -> Tensor:
    """What a part began as: nothing where none is seen, as of a bias of zeros."""
    if start is None:
        return torch.zeros_like(value)
    if start.dim() == 1 and value.dim() == 2 and len(start) == len(value) == value.shape[1]:
        return start.diag()
    return start if start.shape == value.shape else value


def _leaves(roles: Any) -> Iterator[Tensor]:
    if isinstance(roles, Tensor):
        yield roles
    else:
        for part in roles.values() if isinstance(roles, Mapping) else roles:
            yield from _leaves(part)


def _flat(roles: Any) -> Tensor:
    return torch.cat([role.flatten() for role in _leaves(roles)])


def _freedom(role: Tensor) -> int:
    """How many numbers a role of this rank can choose."""
    if role.dim() < 2:
        return role.numel()
    ways = [role.flatten(0, -2), role.flatten(1)]
    found = []
    for matrix in ways:
        rows, columns = matrix.shape
        rank = int(torch.linalg.matrix_rank(matrix.double(), rtol=1e-4))
        found.append(rank * (rows + columns - rank))
    return min(found)


def _is_free(moves: Tensor) -> bool:
    """Whether every number moves [directions, numbers], and no two of them always alike."""
    size = moves.norm(dim=0)
    if bool((size <= 1e-6 * float(size.max())).any()):
        return False
    ways = (moves / size).T
    strongest = ways.gather(1, ways.abs().argmax(1, keepdim=True))
    ways = ways * strongest.sign()
    ways = ways[ways[:, :2].sum(1).argsort()]
    for apart in range(1, min(_NEIGHBOURS, len(ways))):
        if bool(((ways[apart:] - ways[:-apart]).norm(dim=1) < _LOCKED).any()):
            return False
    return True
