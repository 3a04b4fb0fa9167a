"""Which layers of isolation this machine gives, each found by trying it; changes nothing.

What takes PyTorch is imported where it is used: `available` is asked before anything is started.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import advice, packages, seccomp
from . import mounts as files
from .holes import TRIES, judged
from .limits import Limits

if TYPE_CHECKING:
    from .zygote_client import Zygote

SANDBOX = "sandbox"  # the layer that stands for all within one that does not start
_SECONDS = 20
_INSTALL = "install it (this is how on Debian):\n    sudo apt-get install {}"

# Name, how it is tried, and what to do where it is not there.
_WITHOUT_A_SANDBOX = (
    (
        "seccomp filter",
        lambda: f"compiled, {len(seccomp.compiled()) // 8} instructions",
        f"{_INSTALL.format('libseccomp2')}\n    python -m pip install pyseccomp",
    ),
    (
        "packages for workers",
        lambda: f"{len(files.needed().mounts)} files and directories to show, all found",
        "install the grader with all that it requires",
    ),
)


@dataclass(frozen=True)
class Layer:
    """One layer of isolation: whether it is there, what was seen, and what to do if it is not."""

    name: str
    present: bool
    detail: str
    advice: str = ""


@dataclass(frozen=True)
class Availability:
    """Whether untrusted submissions can be graded here, and what to install where they cannot."""

    layers: tuple[Layer, ...]
    why_not: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.why_not


def available() -> Availability:
    """What grading cannot do without, tried in some ten milliseconds."""
    tried = [_bubblewrap()]
    if tried[0].present:
        tried.append(_user_namespaces())
    if tried[-1].present:  # else what follows would only fail for the same reason
        tried += [_tried(*each) for each in _WITHOUT_A_SANDBOX]
    # Why there is none and what to do, with commands on lines of their own.
    missing = [
        "; ".join(filter(None, [f"{layer.name}: {layer.detail}", layer.advice]))
        for layer in tried
        if not layer.present
    ]
    return Availability(tuple(tried), tuple(missing))


def layers() -> tuple[Layer, ...]:
    """Every layer, those inside a sandbox tried from within a worker; takes as long as a start."""
    from .transport import WorkerDied
    from .zygote_client import Zygote, ZygoteDied

    ready = available()
    if not ready:
        return ready.layers
    limits = Limits()
    try:
        with Zygote(limits=limits) as zygote:
            seen = _seen_from_inside(zygote)
            control_group = zygote.cgroup
    except (OSError, WorkerDied, ZygoteDied) as error:
        return (*ready.layers, Layer(SANDBOX, False, f"could not be started: {error}"))
    inside = tuple(Layer(*each) for each in judged(seen, limits))
    detail = "memory and threads of all workers together are bounded"
    if control_group is None:
        detail = "none that we may write; limits of each worker hold all the same"
    return (*ready.layers, *inside, Layer("control group", control_group is not None, detail))


def _seen_from_inside(zygote: Zygote) -> dict[str, Any]:
    """What a worker finds when it looks around."""
    from .transport import WorkerDied

    with zygote.worker() as worker:
        unit = {"code": TRIES, "label": "tries", "line": 1}
        load = {"exercise": "try_all", "units": [unit], "harness": ""}
        call = {"target": {"name": "try_all"}, "args": (), "kwargs": {}, "options": {}}
        for op, payload in (("load", load), ("call", call)):
            answer = worker.request(op, payload, _SECONDS)
            if "error" in answer:
                raise WorkerDied("crashed", "it raised", how=(" {}", answer["error"]["message"]))
        value = answer["ok"]["value"]
        return value if isinstance(value, dict) else {}


def _bubblewrap() -> Layer:
    if sys.platform != "linux":
        return Layer("bubblewrap", False, f"there is none for {sys.platform}; it needs Linux")
    program = shutil.which("bwrap")
    if program is None:
        return Layer("bubblewrap", False, "not installed", _INSTALL.format("bubblewrap"))
    said = _run([program, "--version"])
    return Layer("bubblewrap", said.returncode == 0, said.stdout.strip() or said.stderr.strip())


def _user_namespaces() -> Layer:
    """A sandbox that does nothing, with what ours is built from: nested namespaces and a mount."""
    line = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--tmpfs", "/tmp"]
    nested = ["unshare", "--user", "--mount"] if shutil.which("unshare") else []
    said = _run([*line, "--cap-add", "CAP_SYS_ADMIN", *nested, "true"])
    if said.returncode == 0:
        return Layer("user namespaces", True, "a sandbox can be made")
    message = said.stderr.strip()[:300] or f"bwrap ended with {said.returncode}"
    return Layer("user namespaces", False, message, advice.for_namespaces(line[0]))


def _tried(name: str, attempt: Callable[[], str], advised: str) -> Layer:
    try:
        return Layer(name, True, attempt())
    except (ImportError, RuntimeError, packages.MissingPackage) as error:
        return Layer(name, False, str(error), advised)
    except OSError as error:  # such as no room for a temporary file: it says itself what is wrong
        return Layer(name, False, str(error))


def _run(line: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            line,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(line, 1, "", str(error))
