"""Leaves a learner's kernel as it was, whatever ran in between; knows no exercise."""

import contextlib
import gc
import linecache
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import overrides
from torch.utils import _device
from torch.utils import _python_dispatch as dispatch

_LAST = ("last_type", "last_value", "last_traceback", "last_exc")  # %debug looks at them


# What tells a state, and what puts it back.
_STATES: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (random.getstate, random.setstate),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (torch.get_default_dtype, torch.set_default_dtype),
    (torch.get_num_threads, torch.set_num_threads),
    (torch.is_grad_enabled, torch.set_grad_enabled),
)
# All, pop and push of what stands around every call: a default device, or a mode that was cut off.
_MODES: tuple[tuple[Callable[..., Any], ...], ...] = (
    (overrides._get_current_function_mode_stack, overrides._pop_mode, overrides._push_mode),
    (dispatch._get_current_dispatch_mode_stack, dispatch._pop_mode, dispatch._push_mode),
)


class _Frozen:
    """Inside, what was there before is no garbage of a check, and is not looked through.

    Whether others have frozen it is asked once: to count what is frozen takes long, and a check
    within a check would count all that this one has frozen.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._by_others = False

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth == 1 and not self._by_others:
            self._by_others = gc.get_freeze_count() > 0
            if not self._by_others:
                gc.freeze()

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0 and not self._by_others:
            gc.unfreeze()


_frozen = _Frozen()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Inside, PyTorch works as in a fresh process; afterwards all is as it was before."""
    with ExitStack() as stack:
        stack.callback(_python())
        for state, put_back in _STATES:
            stack.callback(put_back, state())
        if numpy := sys.modules.get("numpy"):
            stack.callback(numpy.random.set_state, numpy.random.get_state())
        stack.callback(_be_deterministic, *_determinism())
        anomalies = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
        stack.callback(torch.autograd.set_detect_anomaly, *anomalies)
        stack.callback(_close_all_but, _open_figures())
        stack.callback(_modes())
        cuda = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
        stack.enter_context(torch.random.fork_rng(devices=list(cuda)))
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.enable_grad())
        torch.set_default_dtype(torch.float32)
        torch.set_num_threads(1)  # with small tensors, waiting for a second takes longer
        stack.enter_context(_frozen)
        yield


def as_by_default() -> None:
    """What PyTorch makes of a tensor is as in a fresh process again, though code has changed it."""
    _modes()
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)


def _determinism() -> tuple[bool, bool]:
    """Whether only deterministic algorithms run, and whether others are warned of only."""
    lenient = torch.is_deterministic_algorithms_warn_only_enabled()
    return torch.are_deterministic_algorithms_enabled(), lenient


def _be_deterministic(strict: bool, lenient: bool) -> None:
    if _determinism() != (strict, lenient):  # PyTorch loads its compiler to set them
        torch.use_deterministic_algorithms(strict, warn_only=lenient)


def _python() -> Callable[[], None]:
    modules, environment, path = dict(sys.modules), dict(os.environ), list(sys.path)
    last = {name: vars(sys)[name] for name in _LAST if name in vars(sys)}
    folder, lines = _folder(), dict(linecache.cache)

    def put_back() -> None:
        linecache.cache.update(lines)  # of code that was loaded meanwhile under the same name
        # What was imported meanwhile stays, as after any import.
        sys.modules.update({n: m for n, m in modules.items() if sys.modules.get(n) is not m})
        if dict(os.environ) != environment:
            for name in set(os.environ) - set(environment):
                del os.environ[name]
            os.environ.update(environment)
        sys.path[:] = path
        if folder is not None and _folder() != folder:
            with contextlib.suppress(OSError):
                os.chdir(folder)
        for name in _LAST:
            vars(sys).pop(name, None)
        vars(sys).update(last)

    return put_back


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was deleted
        return None


def _open_figures() -> set[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()


def _close_all_but(figures: set[int]) -> None:
    for number in _open_figures() - figures:
        sys.modules["matplotlib.pyplot"].close(number)


def _modes() -> Callable[[], None]:
    """Take away what stands around every call; what is given puts it back."""
    # From the bottom of each stack to its top.
    before = [[pop() for _ in every()][::-1] for every, pop, _ in _MODES]
    device, holder = _device.CURRENT_DEVICE, torch._GLOBAL_DEVICE_CONTEXT
    context = getattr(holder, "device_context", None)
    _device.CURRENT_DEVICE = holder.device_context = None

    def put_back() -> None:
        for (every, pop, push), modes in zip(_MODES, before, strict=True):
            for _ in every():
                pop()
            for mode in modes:
                push(mode)
        _device.CURRENT_DEVICE = device
        holder.device_context = context

    return put_back
