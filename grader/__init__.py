"""All that a learner imports: `check`, `hint` and `progress`; loads what they need when called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .report.notebook import Card, Notice, Overview

__all__ = ["check", "hint", "progress"]


def check(exercise: Any) -> Card | Notice:
    """Check your function or class, `check(softmax)`: what passes, what it behaves like."""
    from .desk import check_exercise

    return check_exercise(exercise)


def hint(exercise: Any) -> Notice:
    """A hint for an exercise, `hint(softmax)`; each call gives one more step, never the answer."""
    from .desk import next_hint

    return next_hint(exercise)


def progress() -> Overview:
    """How far you are: what passed in this session, what is written and what is not started."""
    from .desk import overview

    return overview()


def _in_kernel() -> bool:
    """Whether this is a notebook; what only talks to kernels, as nbval does, has ipykernel too."""
    app = sys.modules.get("ipykernel.kernelapp")
    return app is not None and bool(app.IPKernelApp.initialized())


if _in_kernel():  # what the first check needs loads while its learner reads
    from .desk import prepare

    prepare()
