"""What every test may count on: one thread of PyTorch, and nothing has been checked before it."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
import torch
from hypothesis import HealthCheck, settings

from grader.cohort import Way
from grader.notebook import api
from grader.wall.zygote_client import Zygote
from tests.browsing import address, course, page
from tests.cohorts import in_this_process
from tests.marked_cases import Marked, marking

__all__ = ["address", "course", "page"]  # fixtures

# No test is timed: a busy machine may take a second for an example.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
# A script's background jobs are started deaf to Ctrl-C, and their children with them.
signal.signal(signal.SIGINT, signal.default_int_handler)
torch.set_num_threads(1)  # tests run side by side; more threads than cores wait for each other


@pytest.fixture(autouse=True)
def a_kernel_just_started() -> None:
    """Forget what a kernel remembers of its checks and hints."""
    api.forget()


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """Whose clones serve the examiners of tests: to start one takes as long as a hundred forks."""
    with Zygote() as started:
        yield started


@pytest.fixture(scope="session")
def here(zygote: Zygote) -> Way:
    """Marks a class in this process, for tests in which the processes of a run play no part."""
    return in_this_process(zygote)


@pytest.fixture(scope="session")
def marked(zygote: Zygote) -> Iterator[Marked]:
    """Marks a case of the corpus behind the wall, each once, whichever test asks."""
    with marking(zygote.clone()) as mark:
        yield mark
