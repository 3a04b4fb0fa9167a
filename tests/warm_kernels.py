"""A pytest plugin: Jupyter's kernels are forks of one that has loaded PyTorch, and nothing of ours.

To load it takes two seconds of a processor, in each kernel anew. Without the plugin tests run too.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

_FORKS = str(Path(__file__).with_name("kernel_forks.py"))


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, Any, Any]:
    if hasattr(config, "workerinput") or not hasattr(os, "pidfd_open"):
        # xdist's processes have theirs from the first; elsewhere than on Linux there are none.
        return (yield)
    with _instead_of_python3():
        return (yield)


@contextmanager
def _instead_of_python3() -> Iterator[None]:
    """What starts a kernel by the name python3 gets such a fork."""
    with TemporaryDirectory() as name, socket.socket(socket.AF_UNIX) as listening:
        place = Path(name) / "asked"
        listening.bind(str(place))
        listening.listen()
        spec = Path(name) / "kernels" / "python3" / "kernel.json"
        spec.parent.mkdir(parents=True)
        line = [sys.executable, "-S", "-E", _FORKS, str(place), "-f", "{connection_file}"]
        told = {"argv": line, "display_name": "Python 3 (ipykernel)", "language": "python"}
        spec.write_text(json.dumps(told), encoding="utf-8")
        reading, writing = os.pipe()
        # The first that asks has it started: most runs of a few tests have no kernel.
        forking = threading.Thread(target=_fork, args=(listening, reading))
        forking.start()
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("JUPYTER_PATH", name, prepend=os.pathsep)
                yield
        finally:
            os.close(writing)  # at which all of them end
            forking.join()
            os.close(reading)


def _fork(listening: socket.socket, reading: int) -> None:
    if listening in select.select([listening, reading], [], [])[0]:
        descriptor = listening.fileno()
        line = [sys.executable, _FORKS, str(descriptor)]
        subprocess.run(
            line, stdin=reading, pass_fds=[descriptor], start_new_session=True, check=False
        )
