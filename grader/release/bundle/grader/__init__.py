"""All that a learner imports: `check`, `hint`, `progress` and `submit`; loads what they need."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.notebook.cards import Card, Notice
    from grader.notebook.overview import Overview

__all__ = ["check", "hint", "progress", "submit"]


def check(exercise: Any = ..., *others: Any) -> Card | Notice:
    """Check your function or class, `check(softmax)`: what passes, what it behaves like."""
    from grader.notebook.api import check_exercise

    return check_exercise((exercise, *others), sys._getframe(1).f_globals)


def hint(exercise: Any = ..., *others: Any) -> Notice:
    """A hint for an exercise, `hint(softmax)`; each call gives one more step, never the answer."""
    from grader.notebook.api import next_hint

    return next_hint((exercise, *others), sys._getframe(1).f_globals)


def progress(*_: Any) -> Overview:
    """How far you are: what passed in this session, what is written and what is not started."""
    from grader.notebook.api import overview

    return overview()


def submit(*notebooks: Any) -> Notice:
    """Hand in these notebooks, or all of this folder, as they are saved; gives a receipt."""
    from grader.learner.handing_in import hand_in

    return hand_in(notebooks)
