"""How a wrong turn of a module is written down; it holds none itself."""

from __future__ import annotations

from .function_subject import Misconception


def wrong_turn(id: str, explanation: str, question: str, error: str | None = None) -> Misconception:
    """A misconception whose switch bears its name."""
    return Misconception(id=id, explanation=explanation, question=question, error=error)
