"""What every test may count on: nothing has been checked before it."""

from __future__ import annotations

import pytest

from grader.notebook import api


@pytest.fixture(autouse=True)
def a_kernel_just_started() -> None:
    """Forget what a kernel remembers of its checks and hints."""
    api._checked.clear()
    api._handed_out.clear()
    api._hinted.clear()
