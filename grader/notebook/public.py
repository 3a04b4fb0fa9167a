"""What a learner calls: `check`, `hint`, `progress`; loads what they need when they are called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cards import Card, Notice
    from .overview import Overview


def prepare_in_kernel() -> None:
    """In a notebook, have what the first check needs loaded, and cells wait for stubs.

    What only talks to kernels, as nbval does, has ipykernel too.
    """
    app = sys.modules.get("ipykernel.kernelapp")
    if app is not None and app.IPKernelApp.initialized():
        from .api import prepare

        prepare()


def check(exercise: Any = ..., *others: Any) -> Card | Notice:
    """Check your function or class, `check(exercise)`: what passes, what it behaves like."""
    from .api import check_exercise

    return check_exercise((exercise, *others), sys._getframe(1).f_globals)


def hint(exercise: Any = ..., *others: Any) -> Notice:
    """A hint for an exercise, `hint(exercise)`; each call gives one more step, never the answer."""
    from .api import next_hint

    return next_hint((exercise, *others), sys._getframe(1).f_globals)


def progress(*_: Any) -> Overview:
    """How far you are, chapter by chapter: what has passed, what is left and what to do next."""
    from .api import overview

    return overview()
