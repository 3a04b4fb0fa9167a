"""The few Linux calls that Python has no name for; knows not what they are for."""

import ctypes
import os
import signal
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
_MS_REMOUNT = 32
_MS_BIND = 4096
_KEPT = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC  # of the same value where they are asked for

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_THP_DISABLE = 41
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Leave the namespaces of these kinds for new ones."""
    _checked(_libc.unshare(flags), f"unshare {flags:#x}")


def setns(fd: int, kind: int) -> None:
    """Enter the namespace that `fd` refers to."""
    _checked(_libc.setns(fd, kind), f"setns {kind:#x}")


def mount_tmpfs(target: str, options: str, flags: int) -> None:
    """Mount an empty file system in memory."""
    result = _libc.mount(b"tmpfs", target.encode(), b"tmpfs", flags, options.encode())
    _checked(result, f"mount tmpfs on {target}")


def make_read_only(target: str) -> None:
    """Let nobody here change what is mounted there; a device can be written to all the same."""
    flags = _MS_REMOUNT | _MS_BIND | MS_RDONLY | os.statvfs(target).f_flag & _KEPT
    result = _libc.mount(None, target.encode(), None, flags, None)
    _checked(result, f"mount {target} read-only")


def set_dumpable(on: bool) -> None:
    """Whether others of the same user may trace this process or read its memory."""
    _checked(_libc.prctl(_PR_SET_DUMPABLE, int(on), 0, 0, 0), "prctl dumpable")


def die_with_parent() -> None:
    """Have the kernel end this process when the one that started it ends."""
    _checked(_libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl pdeathsig")


def use_small_pages() -> None:
    """Have memory that is touched from now on come in pages of the usual size."""
    _libc.prctl(_PR_SET_THP_DISABLE, 1, 0, 0, 0)  # a matter of speed alone


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    _libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for capability in range(_LAST_CAPABILITY + 1):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break  # beyond the last one that this kernel knows
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")


def forbid_new_privileges() -> None:
    """No later program may give more rights than this process has."""
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl no_new_privs")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def install_filter(bpf: bytes) -> None:
    """Let the kernel judge every later system call by this compiled seccomp filter."""
    program = _Program(len(bpf) // 8, bpf)
    result = _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)
    _checked(result, "prctl seccomp")
