"""Sets a zygote's process going, before the PyTorch of whoever will use it is loaded.

A zygote takes as long to get ready as an examiner does; they may do so side by side.
"""

from __future__ import annotations

import base64
import contextlib
import json
from dataclasses import dataclass
from typing import Any

from . import cgroup, sandbox, seccomp
from .limits import Limits

_ZYGOTE_MB = 1024
_WORKERS = 4  # at most these live at once: one that grades, a few that are being ended
_CLOSE_SECONDS = 5.0
_END_SECONDS = 30.0


@dataclass(frozen=True)
class Begun:
    """A zygote on its way, and what it was started with."""

    started: sandbox.Started
    limits: Limits
    cgroup: cgroup.Cgroup | None

    def close(self) -> None:
        """End the zygote and with it every worker."""
        self.started.control.close()  # at which the zygote, the init of its namespace, exits
        if not self.started.stopped.wait(_CLOSE_SECONDS):
            self.started.process.kill()
            self.started.stopped.wait(_END_SECONDS)
        self.started.errors.close()
        if self.cgroup is not None:
            self.cgroup.remove()


def begin(isolated: bool = True, limits: Limits | None = None) -> Begun:
    """Start a zygote and tell it what it is to be; raises FileNotFoundError or MissingFiles."""
    limits = limits or Limits()
    config: dict[str, Any] = {"namespaces": isolated, "bpf": ""}
    if isolated:
        config["bpf"] = base64.b64encode(seccomp.compiled()).decode()
        group = _cgroup(limits)
        begun = Begun(sandbox.start_enclosed(cgroup=group), limits, group)
    else:
        begun = Begun(sandbox.start_plain(), limits, None)
    with contextlib.suppress(OSError):  # it has died already: who waits for it will hear why
        begun.started.control.sendall(json.dumps(config).encode() + b"\n")
    return begun


def _cgroup(limits: Limits) -> cgroup.Cgroup | None:
    """Room for the zygote and a few workers at their limits, not for a machine's worth of them."""
    each = limits.memory_mb + 2 * limits.tmp_mb
    return cgroup.create(_ZYGOTE_MB + _WORKERS * each, (_WORKERS + 1) * limits.processes)
