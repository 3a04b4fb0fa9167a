"""The notebooks' kit for one test, as if no other had imported it; holds no test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"


@contextmanager
def new_kit() -> Iterator[pytest.MonkeyPatch]:
    """The kit can be imported anew; afterwards what others imported of it is what it was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(NOTEBOOKS))
        for name in imported():
            patch.delitem(sys.modules, name)
        try:
            yield patch
        finally:
            for name in imported():
                del sys.modules[name]


def imported() -> list[str]:
    """The modules of the kit that have been imported."""
    return [name for name in sys.modules if name.partition(".")[0] == "kit"]
