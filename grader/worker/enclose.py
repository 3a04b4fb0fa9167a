"""Closes a freshly forked worker in: files, limits, output to nowhere; knows no requests."""

import os
import random
import resource
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

from . import system_calls as kernel

STACK_BYTES = 8 * 2**20
_HIGHEST_FD = 1_000
_TMPFS = kernel.MS_NOSUID | kernel.MS_NODEV
# The user and group that a worker takes where the zygote runs as root.
_NOBODY = 65534


@dataclass(frozen=True)
class Surroundings:
    """What the zygote knows and each fork needs; `proc` is an open descriptor."""

    namespaces: bool
    proc: int | None
    change_user: bool
    address_space: int
    bpf: bytes


def enclose(limits: dict[str, Any], channel: int, around: Surroundings) -> int:
    """Take from this process all that learner code does not need; return the channel's number."""
    # Huge pages make the zygote quick to fork, but a worker's own would be slow to come by.
    kernel.use_small_pages()
    os.setsid()  # kill(0, …) reaches the process group, namespaces or not
    if around.namespaces:
        _leave_namespaces(limits, around)
    channel = _keep_only(channel)
    _bound(limits, around)
    if around.namespaces:
        kernel.drop_capabilities()
        kernel.set_dumpable(False)
        kernel.forbid_new_privileges()
        kernel.install_filter(around.bpf)
    return channel


def _leave_namespaces(limits: dict[str, Any], around: Surroundings) -> None:
    """Own user, mount, ipc, uts, net and cgroup namespaces; the pid namespace is new already.

    The own user namespace makes the kernel count this worker's threads by themselves.
    """
    if around.change_user:
        # The kernel does not hold root to a number of threads. In a container that lets root map
        # no other user this fails, and `grader doctor` shows that the limit is absent.
        with suppress(OSError):
            os.setgroups([])
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)
        kernel.set_dumpable(True)  # or the files written below would belong to root
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(
        kernel.CLONE_NEWUSER
        | kernel.CLONE_NEWNS
        | kernel.CLONE_NEWIPC
        | kernel.CLONE_NEWUTS
        | kernel.CLONE_NEWNET  # a network without any other machine
        | kernel.CLONE_NEWCGROUP
    )
    _write(around.proc, "self/setgroups", "deny")
    _write(around.proc, "self/uid_map", f"{uid} {uid} 1")
    _write(around.proc, "self/gid_map", f"{gid} {gid} 1")
    # Where memory runs out, the kernel shall end a worker rather than anybody else.
    _write(around.proc, "self/oom_score_adj", "500")
    for device in os.listdir("/dev"):  # this machine's own: their times are for all to see
        if device != "shm":
            kernel.make_read_only(f"/dev/{device}")
    size = f"size={int(limits['tmp_mb'])}m,nr_inodes=4096,mode=700"
    kernel.mount_tmpfs("/tmp", size, _TMPFS)
    kernel.mount_tmpfs("/dev/shm", size, _TMPFS)
    kernel.mount_tmpfs("/proc", "size=4k,nr_inodes=1,mode=555", _TMPFS | kernel.MS_RDONLY)
    os.chdir("/tmp")


def _write(directory: int | None, path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY, dir_fd=directory)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def _keep_only(channel: int) -> int:
    """Input and output on /dev/null, the channel on a number that loops seldom reach.

    Standard error stays for the moment: the zygote hears there of what fails in here. Of /dev/null
    each worker has a descriptor of its own: one that all inherit would have its flags in common.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(null, stream)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = min(hard if hard != resource.RLIM_INFINITY else _HIGHEST_FD, _HIGHEST_FD)
    if soft < highest:
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
    kept = random.SystemRandom().randrange(highest * 3 // 4, highest)
    if channel != kept:
        os.dup2(channel, kept)
    os.closerange(3, kept)
    os.closerange(kept + 1, max(highest, soft if soft < 2**20 else 0))
    return kept


def _bound(limits: dict[str, Any], around: Surroundings) -> None:
    """The kernel's own limits, each soft and hard."""
    megabyte = 2**20
    bounds = {
        "RLIMIT_AS": around.address_space + int(limits["memory_mb"]) * megabyte,
        "RLIMIT_CPU": int(limits["cpu_seconds"]),
        "RLIMIT_NOFILE": int(limits["open_files"]),
        "RLIMIT_FSIZE": int(limits["tmp_mb"]) * megabyte,
        "RLIMIT_STACK": STACK_BYTES,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_SIGPENDING": 64,  # signals and timers, which all workers would take from each other
    }
    if around.namespaces:  # elsewhere the kernel would count all that the user runs
        bounds["RLIMIT_NPROC"] = int(limits["processes"])
    for name, bound in bounds.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        _, hard = resource.getrlimit(number)
        if hard != resource.RLIM_INFINITY:
            bound = min(bound, hard)
        with nullcontext() if around.namespaces else suppress(OSError, ValueError):  # macOS
            resource.setrlimit(number, (bound, bound))
