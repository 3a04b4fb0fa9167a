"""Whether a function is right up to some length of an axis alone; knows no exercise."""

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import torch
from torch import Generator, Tensor

from ..candidate.candidate import Candidate
from ..curriculum.references import reference
from .function_answers import FunctionAnswers
from .misconceptions.function_subject import FunctionSubject, Probe
from .misconceptions.wrong_turns import NONE
from .probed import asked, played
from .sameness import is_float, rounding_scale, same_value

_LENGTHS = 13, 20, 40, 80, 140, 300  # are tried; a block's edge lies below one of them
_SLOW = 0.1  # seconds that the reference takes: it is asked for nothing longer
_LEAST = 4  # what is wrong with fewer entries than this is wrong with few, and not with many
_RISE = 3.0  # numbers that come later are larger: what was largest before is not for ever
_LOUDER = 1.0, 4.0  # one entry less is right with these times as large numbers as well
_LEFT_OUT = 12  # so many entries, one after the other
_MOST = 400  # calls for one axis
_ROUNDS, _PLAIN = 1e-3, 1e-2  # what may be rounding, and what is none

_Axes = tuple[tuple[int, int], ...]  # arguments by their places, and an axis of each


@dataclass(frozen=True)
class Growth:
    """The answer is wrong with so many entries there, and right with one less."""

    entries: int
    where: str


def growths(
    answers: FunctionAnswers, candidate: Candidate, generator: Generator
) -> Iterator[Growth]:
    """The edges that show where each axis of an ordinary input is made longer.

    Of the wrong input each entry that is tried may be left out, whichever it is, and the answer is
    right; so it is for other numbers, and larger ones, of fewer entries. It is how many there are
    that counts, and not what one of them holds, what they come to, or another length.
    """
    subject = answers.questions.subject
    names = list(inspect.signature(reference(subject.exercise)).parameters)
    for probe in _ordinary(answers.questions.probes):
        for axes in _axes(probe):
            edge = _edge(_Axis(subject, candidate, probe, axes), generator)
            if edge:
                *most, last = [f"axis {axis} of {names[place]}" for place, axis in axes]
                yield Growth(edge, f"{', '.join(most)} and {last}" if most else last)


def _ordinary(probes: Sequence[Probe]) -> list[Probe]:
    """The first probe of each form, as of a mask with an axis of length 1 and without."""
    found: dict[tuple[tuple[bool, ...], ...], Probe] = {}
    for probe in probes:
        tensors = [arg for arg in probe.args if isinstance(arg, Tensor)]
        if tensors and not probe.aside:
            form = tuple(tuple(size == 1 for size in arg.shape) for arg in tensors)
            found.setdefault(form, replace(probe, gradient=False))
    return [*found.values()]


def _axes(probe: Probe) -> list[_Axes]:
    """Axes that are equally long go together."""
    found: dict[int, list[tuple[int, int]]] = {}
    for place, arg in enumerate(probe.args):
        for axis, size in enumerate(arg.shape if isinstance(arg, Tensor) else ()):
            if size > 1:
                found.setdefault(size, []).append((place, axis))
    return [tuple(each) for each in found.values()]


@dataclass
class _Axis:
    """One axis of a probe that is made longer, and shorter again."""

    subject: FunctionSubject
    candidate: Candidate
    probe: Probe
    axes: _Axes
    calls: int = 0

    def grown(self, size: int, generator: Generator) -> Probe:
        """The probe with that many entries, of which the first ones are its own."""
        args = list(self.probe.args)
        for place, axis in self.axes:
            args[place] = _grown(args[place], axis, size, generator)
        return replace(self.probe, args=tuple(args))

    def louder(self, size: int, by: float, generator: Generator) -> Probe:
        """Another one with that many entries, whose numbers are so many times as large."""
        probe = self.grown(size, generator)
        args = [a * by if is_float(a) else a for a in probe.args]
        return replace(probe, args=tuple(args))

    def kept(self, probe: Probe, entries: Sequence[int]) -> Probe:
        """That probe with these entries alone."""
        args = list(probe.args)
        for place, axis in self.axes:
            args[place] = args[place].index_select(axis, torch.tensor(entries))
        return replace(probe, args=tuple(args))

    def is_slow(self, probe: Probe) -> bool:
        """Whether the reference takes long, as where it tries all subsets."""
        begin = perf_counter()
        played(self.subject, probe, None, NONE)
        return perf_counter() - begin > _SLOW

    def is_wrong(self, probe: Probe, by: float = _ROUNDS) -> bool | None:
        """Whether the answer is; None where there is no right one."""
        self.calls += 1
        self.candidate.stay_in_time()
        right = played(self.subject, probe, None, NONE)
        if right.error or not (isinstance(right.value, Tensor) and right.value.isfinite().all()):
            return None
        found = asked(self.subject, self.candidate, probe, None)
        return bool(found.error) or not same_value(
            found.value, right.value, max(by, self.subject.tolerance), rounding_scale(probe)
        )


def _grown(value: Tensor, axis: int, size: int, generator: Generator) -> Tensor:
    old = value.shape[axis]
    if size <= old:
        return value.narrow(axis, 0, size)
    chosen = torch.randint(old, (size - old,), generator=generator)
    new = value.index_select(axis, chosen)
    if new.is_floating_point():
        drawn = torch.randn(new.shape, generator=generator, dtype=new.dtype)
        rise = torch.linspace(1, _RISE, size - old)
        new = drawn * value.std() * rise.view(-1, *[1] * (value.dim() - axis - 1))
    return torch.cat([value, new], axis)


def _edge(axis: _Axis, generator: Generator) -> int:
    """How many entries are answered wrongly where one less is not; 0 where none shows."""
    start = axis.probe.args[axis.axes[0][0]].shape[axis.axes[0][1]]
    for size in (start, *_LENGTHS):
        probe = axis.grown(size, generator)
        is_wrong = axis.is_wrong(probe)
        if is_wrong:
            return _smallest(axis, probe, size, generator)
        if is_wrong is None or axis.is_slow(probe):
            return 0
    return 0


def _smallest(axis: _Axis, probe: Probe, size: int, generator: Generator) -> int:
    """How many entries are needed for a wrong answer, whichever they are; 0 where few do."""
    entries = list(range(size))
    step = size // 2
    while step:
        for begin in range(0, len(entries), step):
            fewer = entries[:begin] + entries[begin + step :]
            if axis.calls > _MOST:
                return 0
            if len(fewer) >= _LEAST and axis.is_wrong(axis.kept(probe, fewer)):
                entries = fewer
                break
        else:
            step //= 2
    if len(entries) <= _LEAST or not axis.is_wrong(axis.kept(probe, entries), _PLAIN):
        return 0
    places = range(0, len(entries), max(1, len(entries) // _LEFT_OUT))
    left = [axis.is_wrong(axis.kept(probe, entries[:at] + entries[at + 1 :])) for at in places]
    if not _are_right(left):
        return 0
    sizes = range(len(entries) - 1, 1, -max(1, len(entries) // _LEFT_OUT))
    others = [axis.kept(probe, entries[:size]) for size in sizes]
    others += [axis.louder(size, by, generator) for by in _LOUDER for size in (*sizes, sizes[0])]
    return len(entries) if _are_right(list(map(axis.is_wrong, others))) else 0


def _are_right(wrong: Sequence[bool | None]) -> bool:
    """Whether none is wrong, and most have a right answer."""
    return True not in wrong and 2 * wrong.count(False) > len(wrong)
