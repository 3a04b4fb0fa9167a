"""All that a learner imports: `check`, `hint` and `progress`; loads what they need when called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .notebook.cards import Card, Notice
    from .notebook.overview import Overview

__all__ = ["check", "hint", "progress"]


def check(exercise: Any = ..., *others: Any) -> Card | Notice:
    """Check your function or class, `check(softmax)`: what passes, what it behaves like."""
    from .notebook.api import check_exercise

    return check_exercise((exercise, *others), sys._getframe(1).f_globals)


def hint(exercise: Any = ..., *others: Any) -> Notice:
    """A hint for an exercise, `hint(softmax)`; each call gives one more step, never the answer."""
    from .notebook.api import next_hint

    return next_hint((exercise, *others), sys._getframe(1).f_globals)


def progress(*_: Any) -> Overview:
    """How far you are, chapter by chapter: what has passed, what is left and what to do next."""
    from .notebook.api import overview

    return overview()


def _in_kernel() -> bool:
    """Whether this is a notebook; what only talks to kernels, as nbval does, has ipykernel too."""
    app = sys.modules.get("ipykernel.kernelapp")
    return app is not None and bool(app.IPKernelApp.initialized())


if _in_kernel():  # what the first check needs loads while its learner reads
    from .notebook.api import prepare

    prepare()
