"""Starts a warm zygote, behind bubblewrap or with process limits alone; knows no requests."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path, PurePosixPath
from typing import IO

from . import mounts as files
from .cgroup import Cgroup

_NOBODY = 65534
# Inside, the zygote needs these to put each fork into namespaces of its own and to end it; forks
# drop them all.
_CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_KILL")
_DEVICES = ("null", "zero", "full", "random", "urandom")
# Whence PyTorch knows which processors there are, and malloc the size of huge pages. The folders
# have counters beside, which tell exactly what all others have done.
_PROCESSORS, _PAGES = "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage"
_SYSTEM = (
    *(f"{_PROCESSORS}/{name}" for name in ("online", "possible", "present")),
    *(f"{_PAGES}/{name}" for name in ("enabled", "hpage_pmd_size")),
)
_ENVIRONMENT = {
    "HOME": "/tmp",
    "USER": "learner",  # some libraries look it up, and there is no /etc/passwd
    "LANG": "C.UTF-8",
    "PYTHONHOME": files.PYTHON_HOME,
    "LD_LIBRARY_PATH": files.LIBRARIES,
}
_SETTINGS = {
    "PYTHONHASHSEED": "0",  # the same submission gives the same marks
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # All of the zygote's heap in huge pages: a fork then has few page tables to copy and, at its
    # end, few to free. Forking and ending a worker take about half the time.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    "PYTHONMALLOC": "malloc",
    "MALLOC_ARENA_MAX": "1",  # else each thread reserves 64 MB of a worker's address space
    "TORCHDYNAMO_DISABLE": "1",  # torch.compile gives the function as it is: no compiler here
}
_START = (
    "import sys; sys.path.extend({path!r}); from worker.zygote import main; main(int(sys.argv[1]))"
)


# A starting zygote: its control socket, where its complaints go, its process, and whether it ended.
Started = tuple[socket.socket, IO[bytes], subprocess.Popen[bytes], threading.Event]


def command(bubblewrap: str, arguments: list[str], extra: list[str]) -> list[str]:
    """The bubblewrap command line that runs `arguments` in a fresh sandbox."""
    needed = files.needed()
    line = [bubblewrap, "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    line += ["--unshare-uts", "--unshare-cgroup-try", "--hostname", "worker"]
    line += ["--die-with-parent", "--new-session", "--as-pid-1", "--clearenv"]
    line += ["--cap-drop", "ALL"]
    for capability in _CAPABILITIES:
        line += ["--cap-add", capability]
    if os.geteuid() != 0:
        line += ["--uid", "1000", "--gid", "1000"]
    # Directories that bubblewrap makes on its own way would be its user's alone.
    targets = [mount.target for mount in needed.mounts] + ["/dev/shm/x", *_SYSTEM]
    targets += [link for _, link in needed.links]
    for directory in sorted({str(d) for t in targets for d in PurePosixPath(t).parents}):
        line += ["--perms", "0755", "--dir", directory]
    for mount in needed.mounts:
        line += ["--ro-bind", str(mount.source), mount.target]
    for source, link in needed.links:
        line += ["--symlink", source, link]
    for hidden in needed.hidden:
        line += ["--tmpfs", hidden, "--remount-ro", hidden]
    line += ["--proc", "/proc", "--tmpfs", "/tmp"]
    for device in _DEVICES:
        line += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for path in _SYSTEM:
        line += ["--ro-bind-try", path, path]
    for name, value in {**_ENVIRONMENT, **_SETTINGS}.items():
        line += ["--setenv", name, value]
    return [*line, *extra, "--remount-ro", "/", "--chdir", "/tmp", *arguments]


def start_enclosed(cgroup: Cgroup | None = None) -> Started:
    """Start a zygote behind bubblewrap."""
    bubblewrap = shutil.which("bwrap")
    if bubblewrap is None:
        raise FileNotFoundError("bubblewrap (bwrap) is not installed")
    needed = files.needed()
    script = _START.format(path=list(needed.path))

    def line(control: int, extra: list[str]) -> list[str]:
        # -S: no site-packages, no .pth files; -P: nothing from the working directory.
        arguments = [needed.python, "-S", "-s", "-P", "-c", script, str(control)]
        enclosed = command(bubblewrap, arguments, extra)
        return cgroup.entering(enclosed) if cgroup else enclosed

    return _start(line, dict(_SETTINGS), map_users=os.geteuid() == 0)


def start_plain() -> Started:
    """Start a zygote with no isolation, for `--trust-submissions`."""
    if not hasattr(os, "fork"):
        raise OSError(
            "this system cannot fork: in a notebook check(...) does without; on Windows, use WSL"
        )
    package = str(Path(__file__).resolve().parent.parent)
    script = _START.format(path=[package])

    def line(control: int, extra: list[str]) -> list[str]:
        return [sys.executable, "-P", "-c", script, str(control)]

    # Behind the wall there is none: what a machine happens to have is no part of a mark.
    no_gpu = {"CUDA_VISIBLE_DEVICES": ""}
    return _start(line, {**os.environ, **_SETTINGS, **no_gpu}, map_users=False)


def _start(
    line: Callable[[int, list[str]], list[str]], environment: dict[str, str], map_users: bool
) -> Started:
    ours, theirs = socket.socketpair()
    errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the zygote)
    extra, passed, finish = _user_map() if map_users else ([], [], None)
    started: Future[subprocess.Popen[bytes]] = Future()
    stopped = threading.Event()

    def keep() -> None:
        # bubblewrap dies with the thread that started it, so this one lives as long as it does.
        try:
            process = subprocess.Popen(
                line(theirs.fileno(), extra),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=environment,
                pass_fds=[theirs.fileno(), *passed],
                start_new_session=True,  # Ctrl-C is for the grader, which then ends this
            )
        except Exception as error:
            started.set_exception(error)
            return
        started.set_result(process)
        process.wait()
        stopped.set()

    threading.Thread(target=keep, name="zygote", daemon=True).start()
    with theirs:
        process = started.result()
    if finish is not None:
        finish()
    return ours, errors, process, stopped


def _user_map() -> tuple[list[str], list[int], Callable[[], None]]:
    """For root: map one harmless user beside root, which workers become.

    The kernel does not hold root to limits on the number of threads, and root's files stay root's.
    Gives bubblewrap's arguments, descriptors to pass, and what to do once it has started.
    """
    info, info_theirs = os.pipe()
    block_theirs, block = os.pipe()

    def finish() -> None:
        os.close(info_theirs)
        os.close(block_theirs)
        with open(info, "rb") as stream, open(block, "wb") as release:
            written = stream.read()
            if not written:
                return  # it has failed already, and says why on its standard error
            pid = int(json.loads(written)["child-pid"])
            try:
                _map(pid, f"0 0 1\n{_NOBODY} {_NOBODY} 1\n")
            except OSError:  # a root that may map nobody but itself, in some containers
                Path(f"/proc/{pid}/setgroups").write_text("deny")
                _map(pid, "0 0 1\n")
            release.write(b"1")

    extra = ["--info-fd", str(info_theirs), "--userns-block-fd", str(block_theirs)]
    return extra, [info_theirs, block_theirs], finish


def _map(pid: int, rows: str) -> None:
    for kind in ("uid_map", "gid_map"):
        Path(f"/proc/{pid}/{kind}").write_text(rows)
