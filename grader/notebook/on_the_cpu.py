"""Lets a check run on the CPU wherever its learner's code wants to run; knows no exercise.

Whoever has a GPU writes `device = "cuda" if torch.cuda.is_available() else "cpu"` and makes tensors
there. Checks give tensors on the CPU, as a class is marked on machines that have nothing else.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import torch

_ACCELERATORS = ("cuda", "mps", "xpu")
_ASKED = (torch.cuda, torch.backends.mps, torch.xpu, torch.accelerator)


@contextmanager
def on_the_cpu(names: Mapping[str, Any]) -> Iterator[None]:
    """Inside, no accelerator is there, and what is a device among these global names is the CPU."""
    instead = {name: type(held)("cpu") for name, held in names.items() if _is_elsewhere(held)}
    before = {name: names[name] for name in instead}
    with ExitStack() as stack:
        for module in _ASKED:
            stack.callback(setattr, module, "is_available", module.is_available)
            module.is_available = lambda: False  # type: ignore[attr-defined]
        if isinstance(names, dict) and instead:
            stack.callback(names.update, before)
            names.update(instead)
        yield


def _is_elsewhere(held: object) -> bool:
    if type(held) is torch.device:
        return held.type != "cpu"
    return type(held) is str and held.partition(":")[0] in _ACCELERATORS
