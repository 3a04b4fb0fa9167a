"""Compiles the system call filter of workers; knows nothing of who installs it."""

import errno
import tempfile
from functools import cache

# What Python, its standard library, PyTorch and libc ask for behind the wall. All else is refused:
# socket, connect, fork, execve, ptrace and mount among it. So is what tells exactly what another
# worker has done: which pages of a file are in memory, the numbers of pipes and of mounts, how much
# memory and how many threads there are in all, and what is free on this machine's disks.
_ALLOWED = """
    read readv pread64 preadv write writev pwrite64 pwritev lseek
    open openat creat close close_range dup dup2 dup3
    stat fstat lstat newfstatat access faccessat faccessat2
    getcwd chdir fchdir getdents getdents64 readlink readlinkat
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat
    chmod fchmod fchmodat fchmodat2 umask utime utimes futimesat utimensat
    truncate ftruncate fallocate fsync fdatasync sendfile copy_file_range
    getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr

    mmap munmap mremap mprotect msync brk membarrier
    pkey_alloc pkey_free pkey_mprotect get_mempolicy

    set_robust_list get_robust_list set_tid_address rseq gettid
    sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_getscheduler
    sched_getattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval getcpu
    exit exit_group wait4 waitid arch_prctl prctl

    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait
    sigaltstack signalfd signalfd4 restart_syscall pause alarm
    getitimer setitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete
    timerfd_create timerfd_settime timerfd_gettime
    poll ppoll select pselect6 eventfd eventfd2
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2

    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times
    getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups
    getpgid getpgrp getsid getpriority setpriority capget
    getrlimit setrlimit prlimit64 uname getrandom
"""
# Commands of fcntl (linux/fcntl.h): copies and flags. With locks, leases and notices on the files
# that all workers see, one worker could read what another has set.
_COMMANDS = (*range(5), 1030)
# Commands of ioctl that every descriptor has, and what is asked of a terminal. By a file system's
# own one worker could read which files another has looked up.
_DEVICE_COMMANDS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# Advice about memory (linux/mman.h) but that which takes a file's pages out of it, or joins pages.
_ADVICE = (*range(5), 8, 10, 11, *range(14, 20), 22, 23)
# Whoever sees a file may wait at its pages, and wake who waits there in another worker. Within a
# process all say that they are its own; but for the end of a thread, which is asked for again.
_FUTEX_PRIVATE = 128
_FUTEX_OF_ALL = {0: errno.EAGAIN, 9: errno.EAGAIN, 1: errno.EINVAL, 10: errno.EINVAL}  # wait, wake
_CLONE_THREAD = 0x00010000
_INIT = 1  # every worker is the first process of its own namespace
_WORD = 2**32 - 1
# From clone3 on, kernels differ in what they have, and libc asks for it first and then for what is
# older, as Rust does for statx: those that are not named above are not there, instead of refused.
_NEWER = range(435, 512)


@cache
def compiled() -> bytes:
    """The filter as BPF for this machine; raises ImportError or RuntimeError without libseccomp."""
    import pyseccomp as seccomp  # loads the system's libseccomp, which macOS does not have

    native = seccomp.Arch.NATIVE
    # Refused with EPERM, so that ordinary code gets an ordinary exception.
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    # Negative: a system call that this architecture or this libseccomp lacks.
    numbers = {seccomp.resolve_syscall(native, name) for name in _ALLOWED.split()}
    for number in sorted(number for number in numbers if number >= 0):
        rules.add_rule(seccomp.ALLOW, number)
    statx = seccomp.resolve_syscall(native, "statx")
    for number in sorted({*_NEWER, statx} - numbers):
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), number)
    for command in _COMMANDS:
        rules.add_rule(seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, _WORD, command))
    for command in _DEVICE_COMMANDS:
        rules.add_rule(seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, _WORD, command))
    for advice in _ADVICE:
        rules.add_rule(seccomp.ALLOW, "madvise", seccomp.Arg(2, seccomp.MASKED_EQ, _WORD, advice))
    own = seccomp.Arg(1, seccomp.MASKED_EQ, _FUTEX_PRIVATE, _FUTEX_PRIVATE)
    rules.add_rule(seccomp.ALLOW, "futex", own)
    for kind, answer in _FUTEX_OF_ALL.items():
        of_all = seccomp.Arg(1, seccomp.MASKED_EQ, 2 * _FUTEX_PRIVATE - 1, kind)
        rules.add_rule(seccomp.ERRNO(answer), "futex", of_all)
    # Threads, but no processes.
    thread = seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD, _CLONE_THREAD)
    rules.add_rule(seccomp.ALLOW, "clone", thread)
    # Signals to itself alone; a process group may reach beyond the namespace.
    for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        rules.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.EQ, _INIT))
    rules.set_attr(seccomp.Attr.CTL_OPTIMIZE, 2)  # a tree: a fork installs it in half the time
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
