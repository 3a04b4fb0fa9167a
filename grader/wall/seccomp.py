"""Compiles the system call filter of workers; knows nothing of who installs it."""

from __future__ import annotations

import errno
import tempfile
from functools import cache
from typing import Any

_CLONE_THREAD = 0x00010000
_INIT = 1  # every worker is the first process of its own namespace

# Refused with EPERM, so that ordinary code gets an ordinary exception.
_REFUSED = """
    fork vfork execve execveat
    ptrace process_vm_readv process_vm_writev process_madvise kcmp
    pidfd_open pidfd_getfd pidfd_send_signal
    mount umount umount2 pivot_root chroot unshare setns
    open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
    name_to_handle_at open_by_handle_at quotactl quotactl_fd swapon swapoff acct
    keyctl add_key request_key
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
    seccomp landlock_create_ruleset fanotify_init inotify_init inotify_init1
    socket socketpair connect bind listen accept accept4
    memfd_create memfd_secret shmget shmat shmctl msgget msgctl semget semctl mq_open
    init_module finit_module delete_module kexec_load kexec_file_load
    reboot settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname
    io_setup vmsplice splice tee remap_file_pages
    mbind set_mempolicy migrate_pages move_pages
    iopl ioperm modify_ldt personality vhangup syslog lookup_dcookie uselib
    setuid setgid setreuid setregid setresuid setresgid setgroups
    flock
"""
# Commands of fcntl for locks, leases, notices and hints (linux/fcntl.h): on the files that all
# workers see, one worker could read what another has set.
_REFUSED_OF_FILES = (*range(5, 8), *range(36, 39), *range(1024, 1030), *range(1033, 1044))


@cache
def compiled() -> bytes:
    """The filter as BPF for this machine; raises ImportError or RuntimeError without libseccomp."""
    import pyseccomp as seccomp  # loads the system's libseccomp, which macOS does not have

    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    refuse = seccomp.ERRNO(errno.EPERM)
    for name in _REFUSED.split():
        _add(rules, refuse, name)
    for command in _REFUSED_OF_FILES:
        _add(rules, refuse, "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, 2**32 - 1, command))
    # Threads, but no processes. clone3 hides its flags in memory: libc falls back to clone.
    _add(rules, refuse, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD, 0))
    _add(rules, seccomp.ERRNO(errno.ENOSYS), "clone3")
    # Signals to itself alone; a process group may reach beyond the namespace.
    for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        _add(rules, refuse, name, seccomp.Arg(0, seccomp.NE, _INIT))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _add(rules: Any, action: int, name: str, *args: Any) -> None:
    import pyseccomp as seccomp

    # Negative: a system call that this architecture or this libseccomp lacks.
    if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) >= 0:
        rules.add_rule(action, name, *args)
