"""What a worker tries in order to find the wall's holes, and how each finding is judged."""

from collections.abc import Callable
from typing import Any

from .limits import Limits

# Runs in a worker, where nothing of this package but `worker` can be imported.
PROBE = '''
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
    stat = os.statvfs(path)
    return stat.f_blocks * stat.f_frsize // 2**20

def probe():
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

_Judge = Callable[[dict[str, Any], Limits], tuple[bool, str]]


def _network(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    both = {seen["network"], seen["unix"]}
    return both == {"PermissionError"}, f"opening a socket: {', '.join(sorted(both))}"


def _processes(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    alone = seen["pid"] == [1, 0] and seen["proc"] == []
    return alone, f"a worker is process {seen['pid'][0]} and finds {len(seen['proc'])} in /proc"


def _no_programs(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    both = {seen["fork"], seen["exec"]}
    return both == {"PermissionError"}, f"fork and exec: {', '.join(sorted(both))}"


def _files(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    hidden = set(seen["home"]) == {"FileNotFoundError"} and not seen["imports"]
    found = ", ".join(seen["imports"]) or "none of grader, solutions, tests, kit"
    return hidden, f"/home, /root, /etc: {', '.join(sorted(set(seen['home'])))}; imports: {found}"


def _read_only(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    stopped = all(error in ("OSError", "PermissionError") for error in seen["write"])
    return stopped, f"writing outside of /tmp: {', '.join(sorted(set(seen['write'])))}"


def _temporary(seen: dict[str, Any], limits: Limits) -> tuple[bool, str]:
    return max(seen["tmp_mb"]) <= limits.tmp_mb, f"{max(seen['tmp_mb'])} MB of its own"


def _environment(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    known = {"HOME", "USER", "LANG", "PWD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES"}
    known |= {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "MALLOC_ARENA_MAX"}
    others = [
        name
        for name in seen["environment"]
        if name not in known and not name.startswith(("PYTHON", "TORCH"))
    ]
    return not others, "cleared" if not others else f"holds {', '.join(others)}"


def _namespaces(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    closed = seen["namespaces"] == -1 and seen["ptrace"] == -1 and seen["host"] == "worker"
    return closed, "no further namespaces, no tracing" if closed else "can be made or traced"


def _capabilities(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    return seen["capabilities"] == 0, "none" if seen["capabilities"] == 0 else "some are left"


def _privileges(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    return seen["no_new_privileges"] == 1, f"no_new_privs is {seen['no_new_privileges']}"


def _filter(seen: dict[str, Any], _: Limits) -> tuple[bool, str]:
    return seen["seccomp"] == 2, "active" if seen["seccomp"] == 2 else "not active"


def _limits(seen: dict[str, Any], limits: Limits) -> tuple[bool, str]:
    unlimited = [name for name, (_, hard) in seen["limits"].items() if hard < 0]
    enough = not unlimited and seen["limits"]["CPU"][1] <= limits.cpu_seconds
    return enough, "set" if enough else f"not set: {', '.join(unlimited) or 'CPU'}"


def _threads(seen: dict[str, Any], limits: Limits) -> tuple[bool, str]:
    return seen["threads"] <= limits.processes, f"{seen['threads']} could be started"


TRIES: dict[str, _Judge] = {
    "no network": _network,
    "no other processes": _processes,
    "no programs": _no_programs,
    "no files of this machine": _files,
    "read-only files": _read_only,
    "bounded /tmp": _temporary,
    "no environment": _environment,
    "no further namespaces": _namespaces,
    "no capabilities": _capabilities,
    "no new privileges": _privileges,
    "filter active": _filter,
    "resource limits": _limits,
    "bounded threads": _threads,
}
