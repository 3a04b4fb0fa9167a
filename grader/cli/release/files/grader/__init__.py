"""All that a learner imports: `check`, `hint`, `progress` and `submit`; loads what they need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.notebook.public import check, hint, prepare_in_kernel, progress

if TYPE_CHECKING:
    from grader.notebook.cards import Notice

__all__ = ["check", "hint", "progress", "submit"]

prepare_in_kernel()  # cells wait for what is not written yet


def submit(*notebooks: Any) -> Notice:
    """Hand in these notebooks, or all work in this folder, as it is saved; gives a receipt."""
    from grader.notebook.bundle.handing_in import hand_in

    return hand_in(notebooks)
