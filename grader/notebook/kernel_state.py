"""Leaves a learner's kernel as it was, whatever ran in between; knows no exercise."""

import contextlib
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any

import torch
from torch import overrides
from torch.utils import _device, _python_dispatch

_LAST = ("last_type", "last_value", "last_traceback", "last_exc")  # %debug looks at them


@contextmanager
def undisturbed() -> Iterator[None]:
    """Inside, PyTorch works as in a fresh process; afterwards all is as it was before."""
    with ExitStack() as stack:
        for put_back in _keepers():
            stack.callback(put_back)
        cuda = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
        stack.enter_context(torch.random.fork_rng(devices=list(cuda)))
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.enable_grad())
        torch.set_default_dtype(torch.float32)
        torch.set_num_threads(1)  # with small tensors, waiting for a second takes longer
        yield


def _keepers() -> Iterator[Callable[[], None]]:
    """For each thing that code may change, what puts it back; the last one is called first."""
    yield _python()
    yield _random_numbers()
    yield _figures()
    yield _torch()
    yield _modes()


def _python() -> Callable[[], None]:
    modules, environment, path = dict(sys.modules), dict(os.environ), list(sys.path)
    deepest, folder = sys.getrecursionlimit(), _folder()
    last = {name: vars(sys)[name] for name in _LAST if name in vars(sys)}

    def put_back() -> None:
        # What was imported meanwhile stays, as after any import.
        sys.modules.update({n: m for n, m in modules.items() if sys.modules.get(n) is not m})
        if dict(os.environ) != environment:
            for name in set(os.environ) - set(environment):
                del os.environ[name]
            os.environ.update(environment)
        sys.path[:] = path
        sys.setrecursionlimit(deepest)
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


def _random_numbers() -> Callable[[], None]:
    state = random.getstate()
    numpy = sys.modules.get("numpy")
    numbers = numpy.random.get_state() if numpy else None

    def put_back() -> None:
        random.setstate(state)
        if numpy:
            numpy.random.set_state(numbers)

    return put_back


def _figures() -> Callable[[], None]:
    before = set(_open_figures())

    def put_back() -> None:
        for number in set(_open_figures()) - before:
            sys.modules["matplotlib.pyplot"].close(number)

    return put_back


def _open_figures() -> list[int]:
    pyplot: ModuleType | None = sys.modules.get("matplotlib.pyplot")
    return pyplot.get_fignums() if pyplot else []


def _torch() -> Callable[[], None]:
    kind, threads = torch.get_default_dtype(), torch.get_num_threads()
    strict = torch.are_deterministic_algorithms_enabled()
    lenient = torch.is_deterministic_algorithms_warn_only_enabled()
    anomalies = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
    gradients = torch.is_grad_enabled()

    def put_back() -> None:
        torch.set_grad_enabled(gradients)
        torch.set_default_dtype(kind)
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(strict, warn_only=lenient)
        torch.autograd.set_detect_anomaly(*anomalies)

    return put_back


def _modes() -> Callable[[], None]:
    """What stands around every call: a default device, or a mode whose end was cut off."""
    functions, dispatching = _emptied(_function_modes()), _emptied(_dispatch_modes())
    device, holder = _device.CURRENT_DEVICE, torch._GLOBAL_DEVICE_CONTEXT
    context = getattr(holder, "device_context", None)
    _device.CURRENT_DEVICE = holder.device_context = None

    def put_back() -> None:
        for modes, before in ((_function_modes(), functions), (_dispatch_modes(), dispatching)):
            _emptied(modes)
            for mode in before:
                modes[2](mode)
        _device.CURRENT_DEVICE = device
        holder.device_context = context

    return put_back


_Modes = tuple[Callable[[], list[Any]], Callable[[], Any], Callable[[Any], Any]]  # all, pop, push


def _function_modes() -> _Modes:
    return overrides._get_current_function_mode_stack, overrides._pop_mode, overrides._push_mode


def _dispatch_modes() -> _Modes:
    stack = _python_dispatch._get_current_dispatch_mode_stack
    return stack, _python_dispatch._pop_mode, _python_dispatch._push_mode


def _emptied(modes: _Modes) -> list[Any]:
    """What stood there, from the bottom to the top."""
    every, pop, _ = modes
    return [pop() for _ in range(len(every()))][::-1]
