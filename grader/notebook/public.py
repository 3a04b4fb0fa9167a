"""What a learner calls: `check`, `hint`, `progress`; loads what they need when they are called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cards import Card, Notice
    from .overview import Overview


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
