"""Reads a module by what its parameters come to, where they are laid out in no ordinary way.

The worker shows the tensors that inputs meet and the maps that are made of several. It is not
believed: the reading has to give the module's own answers, and each role has to be free.
"""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate, Outcome
from ...candidate.failures import CandidateError, Problem
from ...worker.effective import Merging
from ..misconceptions.function_subject import Probe
from ..misconceptions.wrong_turns import NONE
from .evidence import Evidence
from .free_numbers import MOVES, flat, freedom, is_free, product, turns_sign
from .held import Values, evaluate
from .module_subject import Numbers
from .observing import calls_shown, evidence_on, randomised
from .parameter_reading import Reading, right_gradients
from .search import interpret
from .used_parts import shown, values_shown

_DRAWS, _STEPS, _STEP = 8, 4, 5e-3
_WAYS: tuple[Merging, ...] = ("narrow", "nothing", "scales")
_CLOSE = 2e-2  # of a slope taken from two values
_CHANGED = Problem("raised", "ValueError", "its parameters come to other shapes", "effective")


def effective_evidence(
    candidate: Candidate, written: Evidence, generator: Generator
) -> Evidence | None:
    """Evidence on what the parameters come to, where that is right; else None."""
    scales = any(len(part.shape) < 2 and part.bias is None for part in written.parts)
    has_place = next(written.subject.readings(written.parts), None) is not None
    if written.are_shown and (has_place or not scales):
        return None  # each part is a parameter's, and has its place, or there is nothing to merge
    is_narrow = False
    for merging in _WAYS[-1:] if written.are_shown else _WAYS:
        if merging == "nothing" and not is_narrow:
            continue
        try:
            shown = _Effective(candidate, written, merging)
            is_narrow = is_narrow or shown.is_narrow
            found = shown.evidence(generator)
            reading = interpret(found)
            if reading is not None and shown.is_true(reading, generator):
                return found
        except CandidateError:
            continue
        finally:
            written.module.write(written.values)
    return None


class _Effective:
    """A module as the worker shows it, in these calls."""

    def __init__(self, candidate: Candidate, written: Evidence, merging: Merging) -> None:
        self._candidate, self._written, self._subject = candidate, written, written.subject
        probes = calls_shown(written.probes, written.answers)
        self.module = shown(candidate, written.module, probes, merging)
        self._now = self.module.read()
        self._learning = {p.name for p in written.module.parameters if p.requires_grad} | {
            p.path for p in written.module.loose if p.kind == "parameter"
        }
        self._used = self._learning & {p.name for p in written.params if not p.unused}

    @property
    def is_narrow(self) -> bool:
        """Whether a map goes through fewer numbers than it begins and ends with."""
        maps = [t for t in self._now.values() if t.dim() == 2]
        return any(int(torch.linalg.matrix_rank(each)) < min(each.shape) for each in maps)

    def evidence(self, generator: Generator) -> Evidence:
        """What it answers with telling numbers in place of what the parameters come to."""
        (fresh,) = self._values([self._written.fresh])
        found = evidence_on(self._subject, self.module, fresh, generator)
        return replace(found, written=self._written)

    def is_true(self, reading: Reading, generator: Generator) -> bool:
        """Whether a reading is one of the module as it is written, and each role is free.

        The reading's gradients are those of the parameters from then on.
        """
        written, layout = self._written, reading.layout
        if self._subject.is_deep and any(p.unused for p in written.params):
            return False  # a table that does nothing
        now = self._now
        answered = next(p for p, a in written.pairs if isinstance(a.outcome, Outcome))
        roles = evaluate(layout, now)
        if not self._fits(roles):
            return False
        drawn = self._drawn(generator)
        if not self._fits_again(layout, answered, drawn[0]):
            return False
        many = [flat(evaluate(layout, there)) for _, there in drawn]
        # What no input reaches, as the row of a type that no sentence has, is shown by no tensor.
        other = evaluate(layout, {name: value + 1.0 for name, value in now.items()})
        is_shown = flat(other) != flat(roles)
        if not is_free(torch.stack([*many, flat(roles)])[:, is_shown]):
            return False
        learnable = sum(written.values[name].numel() for name in self._used)
        if learnable < sum(freedom(role) for role in roles.values()):
            return False
        if all(turns_sign(*each) for each in drawn):
            return False
        if not self._have_one_place(now, generator):
            return False
        reading.agree[NONE] = self._slopes_agree(layout, generator)
        return True

    def _fits(self, roles: Values) -> bool:
        """Whether the formula gives all answers with these numbers in its roles."""
        return all(self._subject.gives(roles, *case) for case in self._written.cases)

    def _values(self, many: Sequence[Values]) -> list[dict[str, Tensor]]:
        """What parameters of these values come to, for each of them."""
        every = values_shown(self._candidate, self.module, *many)
        shapes = {p.name: p.shape for p in self.module.parameters}
        for found in every:
            if {name: tuple(value.shape) for name, value in found.items()} != shapes:
                raise CandidateError(_CHANGED)
        return every

    def _drawn(self, generator: Generator) -> list[tuple[Values, Values]]:
        """Other numbers for all that learns, and what it comes to with them."""
        written = self._written
        every = [randomised(written.params, written.fresh, generator) for _ in range(_DRAWS)]
        drawn = [{n: v for n, v in values.items() if n in self._learning} for values in every]
        come_to = self._values([{**written.values, **values} for values in drawn])
        return list(zip(drawn, come_to, strict=True))

    def _fits_again(self, layout: Numbers, probe: Probe, drawn: tuple[Values, Values]) -> bool:
        """Whether the same layout is right with other numbers."""
        values, there = drawn
        outcome = self._written.run_with(values, *probe.args, **probe.kwargs)
        if not isinstance(outcome.value, Tensor):
            return False
        got = self._subject.focused(outcome.value, probe)
        return self._subject.gives(evaluate(layout, there), probe, got)

    def _steps(self, generator: Generator) -> list[tuple[Values, Values]]:
        """Small steps of what learns, and how far what it comes to moves."""
        held = self._written.values
        names = sorted(self._learning & held.keys())
        steps = [
            {n: _STEP * torch.randn(held[n].shape, generator=generator) for n in names}
            for _ in range(_STEPS)
        ]
        ends = self._values(
            [
                {n: v + way * step.get(n, 0.0) for n, v in held.items()}
                for step in steps
                for way in (1, -1)
            ]
        )
        pairs = zip(ends[::2], ends[1::2], strict=True)
        moved = [{name: (up[name] - down[name]) / 2 for name in up} for up, down in pairs]
        return list(zip(steps, moved, strict=True))

    def _have_one_place(self, now: Values, generator: Generator) -> bool:
        """Whether a number of each parameter moves one tensor alone, or one linear map's two."""

        def owner(name: str) -> str:
            holder = name.rpartition(".")[0]
            weight = now.get(f"{holder}.weight")
            return holder if weight is not None and weight.dim() > 1 else name

        names, changed = sorted(self._used), []
        for name in names:
            values = self._written.values[name].clone()
            at = int(torch.randint(values.numel(), (), generator=generator))
            values.view(-1)[at] += 1.0
            changed.append({**self._written.values, name: values})
        for name, there in zip(names, self._values(changed), strict=True):
            moved = [n for n in now if (there[n] - now[n]).abs().max() > MOVES]
            own, sizes = self._written.values[name].numel(), [now[n].numel() for n in moved]
            # A gain of several maps is smaller than each; maps normed together, as large as all.
            is_of_all = not min(sizes, default=0) <= own < sum(sizes)
            if len(set(map(owner, moved))) > 1 and not is_of_all:
                return False
        return True

    def _slopes_agree(self, layout: Numbers, generator: Generator) -> bool:
        """Whether gradients are right: the parameters' are those of what they come to, by the
        chain rule.
        """
        now, steps = self._now, self._steps(generator)
        for probe, answer in self._written.pairs:
            outcome = answer.outcome
            if answer.cotangent is None or not isinstance(outcome, Outcome):
                continue
            given = outcome.parameter_grads or {}
            right = right_gradients(self._subject, layout, now, probe, answer.cotangent)
            if right is None or not right.agree(outcome.grads, {}):
                return False
            for step, moved in steps:
                own = [product(given.get(name), by) for name, by in step.items()]
                wanted = [product(right.by_name[name], moved[name]) for name in now]
                size = max(map(abs, (*own, *wanted)))
                if abs(sum(own) - sum(wanted)) > _CLOSE * max(size, 1e-6):
                    return False
        return True
