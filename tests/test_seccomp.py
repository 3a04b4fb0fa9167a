"""The filter of system calls: what it lets through and refuses, read from its own instructions."""

from __future__ import annotations

import errno
import struct
from functools import cache

import pyseccomp
import pytest

from grader.wall import seccomp
from grader.wall.zygote_client import Zygote
from tests.wall_workers import X, call, load

pytestmark = pytest.mark.isolation

ALLOW = 0x7FFF0000
EPERM, ENOSYS, EAGAIN, EINVAL = (
    0x00050000 | number for number in (errno.EPERM, errno.ENOSYS, errno.EAGAIN, errno.EINVAL)
)
# What could reach beyond a worker: processes, tracing, mounts, sockets, shared memory, clocks.
DANGEROUS = """
    fork vfork execve execveat ptrace process_vm_readv process_vm_writev process_madvise kcmp
    pidfd_open pidfd_getfd pidfd_send_signal
    mount umount2 pivot_root chroot unshare setns open_tree move_mount fsopen fsconfig
    fsmount fspick mount_setattr name_to_handle_at open_by_handle_at quotactl quotactl_fd
    swapon swapoff acct keyctl add_key request_key
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
    seccomp landlock_create_ruleset fanotify_init inotify_init inotify_init1
    socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg
    memfd_create memfd_secret shmget shmat shmctl msgget msgctl semget semctl mq_open
    init_module finit_module delete_module kexec_load kexec_file_load
    reboot settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname
    io_setup vmsplice splice tee remap_file_pages mbind set_mempolicy migrate_pages move_pages
    iopl ioperm modify_ldt personality vhangup syslog lookup_dcookie uselib
    setuid setgid setreuid setregid setresuid setresgid setgroups flock
    preadv2 pwritev2 fadvise64 readahead cachestat getrusage sysinfo statx statfs fstatfs pipe pipe2
    clone clone3 sync syncfs mincore setsid mknod mknodat chown fchownat setxattr
"""


def _number(name: str) -> int:
    number: int = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    return number


NUMBERS = {name: _number(name) for name in DANGEROUS.split() if _number(name) >= 0}


@cache
def _instructions() -> list[tuple[int, int, int, int]]:
    return list(struct.iter_unpack("<HBBI", seccomp.compiled()))


def _judged(number: int, *args: int) -> int:
    """What the kernel would make of a call; the kinds of instructions that libseccomp writes."""
    arch = pyseccomp.system_arch()
    data = struct.pack("<iIQ6Q", number, arch, 0, *args, *[0] * (6 - len(args)))
    held, at = 0, 0
    while True:
        code, yes, no, k = _instructions()[at]
        at += 1
        if code == 0x20:  # load a word
            (held,) = struct.unpack_from("<I", data, k)
        elif code == 0x54:  # and
            held &= k
        elif code == 0x05:  # jump
            at += k
        elif code == 0x06:  # return
            return k
        else:
            tests = {0x15: held == k, 0x25: held > k, 0x35: held >= k, 0x45: bool(held & k)}
            at += yes if tests[code] else no


@pytest.mark.parametrize("name", NUMBERS)
def test_what_reaches_beyond_a_worker_is_refused(name: str) -> None:
    given = ((), (1, 2, 3), (2**64 - 1,) * 6)
    if name == "clone":
        given = ((), (17,), (0x7E020000,), (2**63,))  # without CLONE_THREAD
    for args in given:
        assert _judged(NUMBERS[name], *args) in (EPERM, ENOSYS)


def test_what_code_needs_is_allowed() -> None:
    """Names that an architecture or a libseccomp lacks are passed over, but not many are."""
    numbers = [_number(name) for name in seccomp._ALLOWED.split() if _number(name) >= 0]
    assert len(numbers) > 100
    assert {_judged(number, 0, 0, 5) for number in numbers} == {ALLOW}


def test_newer_calls_are_not_there_so_that_libc_falls_back() -> None:
    assert _judged(_number("clone3")) == _judged(_number("statx")) == ENOSYS
    assert _judged(500) == ENOSYS
    assert _judged(4000) == EPERM


@pytest.mark.parametrize(
    ("name", "args", "judged"),
    [
        ("clone", (0x003D0F00,), ALLOW),  # a thread, as libc makes it
        ("kill", (1, 9), ALLOW),
        ("kill", (0, 9), EPERM),
        ("kill", (2**64 - 1, 9), EPERM),
        ("tgkill", (2, 2, 9), EPERM),
        ("fcntl", (3, 4, 0), ALLOW),
        ("fcntl", (3, 6, 0), EPERM),  # F_SETLK
        ("fcntl", (3, 10, 29), EPERM),  # F_SETSIG
        ("fcntl", (3, 1024, 0), EPERM),  # F_SETLEASE
        ("fcntl", (3, 2**32 + 6, 0), EPERM),
        ("fcntl", (3, 1033, 0), EPERM),  # F_ADD_SEALS
        ("ioctl", (3, 0x5401), ALLOW),  # is it a terminal?
        ("ioctl", (3, 0x541B), ALLOW),  # how much is there to read
        ("ioctl", (3, 0xC020660B), EPERM),  # where a file lies, which is then known of it
        ("ioctl", (3, 0xC020662A), EPERM),  # what ext4 knows of a file
        ("ioctl", (3, 2**32 + 0x6612), EPERM),
        ("madvise", (0, 0, 4), ALLOW),  # MADV_DONTNEED
        ("madvise", (0, 0, 21), EPERM),  # MADV_PAGEOUT
        ("madvise", (0, 0, 12), EPERM),  # MADV_MERGEABLE
        ("futex", (0, 128), ALLOW),  # a lock of its own
        ("futex", (0, 256 + 128 + 9), ALLOW),
        ("futex", (0, 0), EAGAIN),  # as at a file's page, where others may wake who waits
        ("futex", (0, 256 + 9), EAGAIN),
        ("futex", (0, 1), EINVAL),
        ("futex", (0, 3), EPERM),
        ("futex", (0, 2**32 + 1), EINVAL),
    ],
)
def test_some_calls_depend_on_what_they_ask_for(
    name: str, args: tuple[int, ...], judged: int
) -> None:
    assert _judged(_number(name), *args) == judged


def test_the_kernel_judges_so_too(zygote: Zygote) -> None:
    code = f"""
import ctypes
def f(x):
    libc = ctypes.CDLL(None, use_errno=True)
    found = set()
    for number in {sorted(NUMBERS.values())}:
        if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1:
            return number
        found.add(ctypes.get_errno())
    return sorted(found)
"""
    with zygote.worker() as worker:
        load(worker, code)
        assert call(worker, X)["ok"]["value"] == [errno.EPERM, errno.ENOSYS]
