"""What a worker tries in order to find the wall's holes, and how each finding is judged."""

from collections.abc import Iterable, Iterator
from typing import Any

from .limits import Limits

# Runs in a worker, where nothing of this package but `worker` can be imported.
TRIES = '''
import ctypes, os, resource, socket, struct, sys, threading

def attempt(action):
    """What the action gave, or the name of the error that stopped it."""
    try:
        return str(action())
    except BaseException as error:
        return type(error).__name__

def count_threads(most):
    release, threads = threading.Event(), []
    try:
        for _ in range(most):
            thread = threading.Thread(target=release.wait, daemon=True)
            thread.start()
            threads.append(thread)
    except RuntimeError:
        pass
    release.set()
    for thread in threads:
        thread.join()
    return len(threads) + 1

def capabilities(libc):
    header, data = struct.pack("<Ii", 0x20080522, 0), ctypes.create_string_buffer(24)
    libc.capget(header, data)
    return sum(data.raw)

def importable(name):
    try:
        return getattr(__import__(name), "__file__", None) is not None  # nothing stands in for it
    except ImportError:
        return False

def size(path):
    """How many MB find room there, up to 256."""
    names = [f"{path}/{number}" for number in range(64)]
    found = [attempt(lambda name=name: fill(name)) for name in names]
    for name in names:
        attempt(lambda name=name: os.unlink(name))
    return 4 * found.count("None")

def fill(name):
    with open(name, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, 2**22)

def try_all():
    libc = ctypes.CDLL(None, use_errno=True)
    secrets = ("grader", "solutions", "tests", "kit")
    limits = ("AS", "CPU", "CORE", "FSIZE", "NOFILE", "NPROC", "STACK")
    return {
        "network": attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)),
        "unix": attempt(lambda: socket.socket(socket.AF_UNIX)),
        "proc": sorted(os.listdir("/proc")),
        "home": sorted(attempt(lambda p=p: os.listdir(p)) for p in ("/home", "/root", "/etc")),
        "imports": [name for name in secrets if importable(name)],
        "environment": sorted(os.environ),
        "write": [attempt(lambda p=p: open(p, "w")) for p in ("/x", "/opt/x", "/dev/x")],
        "tmp_mb": [size("/tmp"), size("/dev/shm")],
        "pid": [os.getpid(), os.getppid()],
        "fork": attempt(os.fork),
        "exec": attempt(lambda: os.execv(sys.executable, ["python"])),
        "namespaces": libc.unshare(0x10000000),
        "ptrace": libc.ptrace(0, 0, 0, 0),
        "capabilities": capabilities(libc),
        "no_new_privileges": libc.prctl(39, 0, 0, 0, 0),
        "seccomp": libc.prctl(21, 0, 0, 0, 0),
        "dumpable": libc.prctl(3, 0, 0, 0, 0),
        "limits": {n: list(resource.getrlimit(getattr(resource, "RLIMIT_" + n))) for n in limits},
        "threads": count_threads(1000),
        "stdin": os.read(0, 1) == b"",
        "host": os.uname().nodename,
    }
'''

_REFUSED = {"PermissionError"}
_KNOWN = {"HOME", "USER", "LANG", "PWD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "OMP_NUM_THREADS"}
_KNOWN |= {"MKL_NUM_THREADS", "MALLOC_ARENA_MAX"}


def judged(seen: dict[str, Any], limits: Limits) -> Iterator[tuple[str, bool, str]]:
    """The layers that show from inside: each one's name, whether it holds, and what was seen."""

    def listed(found: Iterable[str]) -> str:
        return ", ".join(sorted(set(found)))

    sockets = {seen["network"], seen["unix"]}
    yield "no network", sockets == _REFUSED, f"opening a socket: {listed(sockets)}"
    is_alone = seen["pid"] == [1, 0] and seen["proc"] == []
    found = f"a worker is process {seen['pid'][0]} and finds {len(seen['proc'])} in /proc"
    yield "no other processes", is_alone, found
    programs = {seen["fork"], seen["exec"]}
    yield "no programs", programs == _REFUSED, f"fork and exec: {listed(programs)}"
    is_hidden = set(seen["home"]) == {"FileNotFoundError"} and not seen["imports"]
    found = ", ".join(seen["imports"]) or "none of grader, solutions, tests, kit"
    found = f"/home, /root, /etc: {listed(seen['home'])}; imports: {found}"
    yield "no files of this machine", is_hidden, found
    is_stopped = {"OSError", "PermissionError"} >= set(seen["write"])
    yield "read-only files", is_stopped, f"writing outside of /tmp: {listed(seen['write'])}"
    room = max(seen["tmp_mb"])
    yield "bounded /tmp", room <= limits.tmp_mb, f"{room} MB of its own"
    ours = ("PYTHON", "TORCH")
    others = [n for n in seen["environment"] if n not in _KNOWN and not n.startswith(ours)]
    yield "no environment", not others, f"holds {', '.join(others)}" if others else "cleared"
    is_closed = seen["namespaces"] == -1 and seen["ptrace"] == -1 and seen["host"] == "worker"
    found = "no further namespaces, no tracing" if is_closed else "can be made or traced"
    yield "no further namespaces", is_closed, found
    has_none = seen["capabilities"] == 0
    yield "no capabilities", has_none, "none" if has_none else "some are left"
    privileges = seen["no_new_privileges"]
    yield "no new privileges", privileges == 1, f"no_new_privs is {privileges}"
    is_active = seen["seccomp"] == 2
    yield "filter active", is_active, "active" if is_active else "not active"
    unlimited = [name for name, (_, hard) in seen["limits"].items() if hard < 0]
    is_enough = not unlimited and seen["limits"]["CPU"][1] <= limits.cpu_seconds
    found = "set" if is_enough else f"not set: {', '.join(unlimited) or 'CPU'}"
    yield "resource limits", is_enough, found
    threads = seen["threads"]
    yield "bounded threads", threads <= limits.processes, f"{threads} could be started"
