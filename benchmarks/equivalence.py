"""Do two implementations of an exercise ever differ? Asks both about many inputs; grades nobody."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from grader.course.modules.module_subjects import module_subject
from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.misconceptions.function_subject import FunctionSubject, plain_arguments
from grader.diagnosis.misconceptions.registry import entry_point, function_subject
from grader.diagnosis.misconceptions.spotting import callback, implementation, spots

from .code_names import untrue
from .inputs import inputs, module_arguments, module_inputs
from .readings import explained, same_as_reference

TRIES = 400
MODULE_TRIES = 60
_ROUNDING = 2e-4
Run = Callable[..., Any]


def difference(exercise: str, made: Any, tries: int | None = None) -> str:
    """Where a mutant first differs from the reference, in words; "" where it never does."""
    if syllabus()[exercise].kind == "module":
        return _module_difference(exercise, made, tries or MODULE_TRIES)
    if exercise.startswith("spot_"):
        return _by_judging(exercise, made)
    entry = entry_point(exercise)
    if entry is not None:
        return _by_harness(exercise, _harnessed(exercise, made), frozenset(), tries or 60)
    return _apart(exercise, made, reference(exercise), tries or TRIES)


def name_difference(
    exercise: str, made: Any, names: Sequence[str], tries: int | None = None
) -> str:
    """Where a mutant differs from the misconceptions that it was named after."""
    subject = function_subject(exercise)
    if subject is None:
        return _module_name_difference(exercise, made, names)
    if any(one.error is not None for one in subject.misconceptions if one.id in names):
        return ""  # said by its own exception
    best = ""
    for on in _meant(subject, names):
        if exercise.startswith("spot_"):
            difference = _by_judging(exercise, made, on)
        elif entry_point(exercise) is not None:
            difference = _by_harness(exercise, _harnessed(exercise, made), on, tries or 60)
        else:
            difference = _apart(exercise, made, partial(subject.run, on=on), tries or TRIES, True)
        if not difference:
            return ""
        best = best or difference
    return best


def _module_name_difference(exercise: str, made: Any, names: Sequence[str]) -> str:
    """Names that no edit belongs to tell what was seen; some of them can be seen again here."""
    subject = module_subject(exercise)
    assert subject is not None
    difference = untrue(exercise, made, names)
    if difference:
        return difference
    switches = {one.id for one in subject.misconceptions if one.error is None}
    on = frozenset(names) & switches
    return "" if not on or explained(exercise, made, on) else "values or gradients on fresh inputs"


def _meant(subject: FunctionSubject, names: Sequence[str]) -> list[frozenset[str]]:
    """All at once, each in its ways; a name that no edit belongs to tells what was seen."""
    ways = {one.id: (one.id, *one.ways) for one in subject.misconceptions}
    edited = (ways[name] for name in names if name in ways)
    return [frozenset(each) for each in itertools.product(*edited) if each]


def _apart(exercise: str, one: Run, other: Run, tries: int, named: bool = False) -> str:
    for seed in range(tries):
        args = inputs(exercise, seed)
        difference = unlike(answer(one, args), answer(other, args), named)
        if difference == "gradient":  # of large values that cancel, or is it rounding?
            exact = tuple(map(_doubled, args))
            difference = unlike(answer(one, exact), answer(other, exact), named)
        if difference:
            return f"{difference} for {_shown(args)}"
    return ""


def _doubled(arg: Any) -> Any:
    return arg.double() if isinstance(arg, Tensor) and arg.is_floating_point() else arg


def answer(run: Run, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
    """Value, gradients and what became of the arguments; the exception's type where one came."""
    given = [_leaf(arg) for arg in args]
    leaves = [leaf for leaf, _ in given if isinstance(leaf, Tensor) and leaf.requires_grad]
    passed = [use for _, use in given]
    try:
        value = run(*passed, **(kwargs or {}))
    except Exception as error:
        return type(error).__name__
    changed = [not _alike(use, arg, 0.0) for use, arg in zip(passed, args, strict=True)]
    grads: Any = None
    if isinstance(value, Tensor) and value.requires_grad:
        weights = torch.linspace(0.3, 1.7, value.numel(), dtype=value.dtype).view(value.shape)
        try:
            grads = torch.autograd.grad((value * weights).sum(), leaves, allow_unused=True)
        except RuntimeError:
            grads = "there is no way back"
    return {"value": value, "gradient": grads, "argument changed": changed}


def _leaf(arg: Any) -> tuple[Any, Any]:
    if isinstance(arg, Tensor) and arg.is_floating_point():
        leaf = arg.clone().requires_grad_()
        return leaf, leaf.clone()
    own = copy.deepcopy(arg)
    return own, own


def unlike(one: Any, other: Any, named: bool = False, tolerance: float = _ROUNDING) -> str:
    """What differs between two answers; a mistake may change more arguments than its name says."""
    if isinstance(one, str) or isinstance(other, str):
        if isinstance(one, str) and isinstance(other, str):
            return ""
        return f"raises {one}" if isinstance(one, str) else f"raises no {other}"
    apart = [part for part in one if not _alike(one[part], other[part], tolerance)]
    if named and "argument changed" in apart and any(one["argument changed"]):
        apart.remove("argument changed")
    value = one["value"]
    if isinstance(value, Tensor) and value.is_floating_point() and not bool(value.isfinite().all()):
        apart = [part for part in apart if "gradient" not in part]
    return apart[0] if apart else ""


def _unlike_in_value(one: Any, other: Any, named: bool, tolerance: float = _ROUNDING) -> str:
    """The same where it is a harness's business what becomes of the arguments."""
    if isinstance(one, dict) and isinstance(other, dict):
        one = {**one, "argument changed": other["argument changed"]}
    return unlike(one, other, named, tolerance)


def _alike(one: Any, other: Any, tolerance: float) -> bool:
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        if one.shape != other.shape or one.dtype != other.dtype:
            return False
        if not one.is_floating_point():
            return torch.equal(one, other)
        finite = other.detach()[other.isfinite()].abs()
        scale = max(1.0, float(finite.max()) if finite.numel() else 1.0)
        return torch.allclose(one, other, tolerance, tolerance * scale, equal_nan=True)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return (
            type(one) is type(other)
            and len(one) == len(other)
            and all(_alike(a, b, tolerance) for a, b in zip(one, other, strict=True))
        )
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            _alike(one[key], other[key], tolerance) for key in one
        )
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= tolerance * max(1.0, abs(other)) or (
            one != one and other != other
        )
    return type(one) is type(other) and bool(one == other)


def _harnessed(exercise: str, made: Any) -> Run:
    """What probes call: the harness around a function."""
    from grader.notebook.in_process import checks

    module = ModuleType("harnessed")
    beside = {name: reference(name) for name in syllabus()[exercise].beside}
    module.__dict__.update(beside, **{exercise: made})
    exec(compile(checks().harness(exercise), "<harness>", "exec"), module.__dict__)
    entry = entry_point(exercise)
    assert entry is not None
    run: Run = module.__dict__[entry]
    return run


def _by_harness(exercise: str, run: Run, on: frozenset[str], tries: int) -> str:
    """Compared on the probes of many seeds, with the reference or with known mistakes."""
    subject = function_subject(exercise)
    assert subject is not None
    for seed in range(tries):
        for probe in subject.probes(torch.Generator().manual_seed(seed)):
            one = answer(run, plain_arguments(probe.args))
            other = answer(lambda *args: subject.run(*args, on=on), probe.args)
            for each in (one, other):  # where chance plays a part, its shares are compared
                if isinstance(each, dict):
                    each["value"] = subject.view(probe, each["value"])
            tolerance = max(_ROUNDING, subject.tolerance)
            difference = _unlike_in_value(one, other, bool(on), tolerance)
            if difference:
                return f"{difference} for the probe {probe.label or seed}"
    return ""


def _module_difference(exercise: str, made: Any, tries: int) -> str:
    for seed in range(tries):
        draw = random.Random(f"{exercise} {seed}")
        arguments = module_arguments(exercise, draw)
        one, other = _built(made, arguments), _built(reference(exercise), arguments)
        if isinstance(one, str) or isinstance(other, str):
            if one == other:
                continue
            return f"building it: raises {one if isinstance(one, str) else 'nothing'}"
        if not _same_parameters(one, other):
            return "has other parameters"
        torch.default_generator.manual_seed(seed)
        values = {name: torch.randn_like(p) * 0.5 for name, p in other.named_parameters()}
        one.load_state_dict(values)
        other.load_state_dict(values)
        args = module_inputs(exercise, arguments, draw)
        for train in (False, True):
            mine, theirs = _asked(one, args, train), _asked(other, args, train)
            difference = unlike(mine, theirs)
            if difference and _alike_in_kind(mine, theirs) and same_as_reference(exercise, made):
                return ""  # its parameters have other names, no more
            if difference:
                return f"{difference} {'in training' if train else ''} for {_shown(args)}"
    return ""


def _alike_in_kind(one: Any, other: Any) -> bool:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return False
    mine, theirs = one["value"], other["value"]
    return isinstance(mine, Tensor) and isinstance(theirs, Tensor) and mine.dtype == theirs.dtype


def _built(maker: Any, arguments: tuple[Any, ...]) -> nn.Module | str:
    """A module; the exception's type where one came."""
    torch.default_generator.manual_seed(5)
    try:
        module = maker(*arguments)
    except Exception as error:
        return type(error).__name__
    return module if isinstance(module, nn.Module) else "no module"


def _same_parameters(one: nn.Module, other: nn.Module) -> bool:
    """The same names, and in a LayerNorm the same start."""
    mine, theirs = dict(one.named_parameters()), dict(other.named_parameters())
    if mine.keys() != theirs.keys() or len({id(p) for p in mine.values()}) != len(mine):
        return False
    return all(
        mine[name].shape == theirs[name].shape and mine[name].requires_grad
        and (bool((mine[name] == theirs[name]).all()) or theirs[name].dim() > 1)
        for name in mine
    )  # fmt: skip


def _asked(module: nn.Module, args: tuple[Any, ...], train: bool) -> Any:
    module.train(train)
    torch.default_generator.manual_seed(3)
    module.zero_grad()
    found = answer(module, args)
    if isinstance(found, dict) and isinstance(found["value"], Tensor):
        torch.default_generator.manual_seed(3)
        value = module(*copy.deepcopy(args))
        if value.requires_grad:
            parameters = list(module.parameters())
            found["parameter gradient"] = torch.autograd.grad(
                value.square().sum(), parameters, allow_unused=True
            )
        else:
            found["parameter gradient"] = None
    return found


def _by_judging(exercise: str, made: Any, on: frozenset[str] = frozenset()) -> str:
    """Another verdict than the reference's, or a known mistake's, on what is judged."""
    subject, spot = function_subject(exercise), next(s for s in spots() if s.exercise == exercise)
    assert subject is not None
    for number in range(len(spot.right) + len(spot.wrong)):
        one = answer(made, (implementation(spot, number),))
        other = answer(partial(subject.run, on=on), (callback(spot, number),))
        if difference := _unlike_in_value(one, other, bool(on)):
            return f"{difference} for implementation {number}"
    return ""


def _shown(args: tuple[Any, ...]) -> str:
    return ", ".join(
        f"{list(arg.shape)} {arg.dtype}" if isinstance(arg, Tensor) else repr(arg)[:200]
        for arg in args
    )
