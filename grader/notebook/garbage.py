"""Keeps Python from looking for garbage while what is made stays; knows no exercise."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """Inside, nothing is looked through: beside PyTorch that takes as long as reading a course."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
