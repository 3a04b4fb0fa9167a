"""Finds what a function exercise is judged against, by its name; knows no candidate."""

from __future__ import annotations

import importlib
from functools import cache

from .function_subject import FunctionSubject

# Modules of this package; each holds SUBJECTS, and ENTRIES where a call needs a harness.
_MODULES = (
    "start_here",
    "tokenization",
    "text",
    "encoding",
    "padding",
    "embeddings",
    "waves",
    "attention_scores",
    "masks",
    "softmax",
    "masked_softmax",
    "attention",
    "multi_head_attention",
    "feed_forward",
    "classification_head",
    "pretrained_bert",
    "decoder",
    "writing",
    "spotting",
)


def function_subject(exercise: str) -> FunctionSubject | None:
    """The subject of a function exercise; None for modules and unknown names."""
    return _subjects().get(exercise)


def function_subjects() -> tuple[FunctionSubject, ...]:
    """All of them, chapter by chapter."""
    return tuple(_subjects().values())


def entry_point(exercise: str) -> str | None:
    """The harness function that probes call in place of the exercise, where there is one."""
    return _entries().get(exercise)


@cache
def _subjects() -> dict[str, FunctionSubject]:
    found = {}
    for name in _MODULES:
        module = importlib.import_module(f"{__package__}.{name}")
        found.update({subject.exercise: subject for subject in module.SUBJECTS})
    return found


@cache
def _entries() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _MODULES:
        module = importlib.import_module(f"{__package__}.{name}")
        found.update(getattr(module, "ENTRIES", {}))
    return found
