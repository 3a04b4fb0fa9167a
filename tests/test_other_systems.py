"""What learners use works without what Windows lacks, and prints on any terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.wall import advice

ROOT = Path(__file__).parent.parent
# Other packages know Windows, and are loaded before these are gone: our own code is what is tried.
_AS_ON_WINDOWS = """
import asyncio, getpass, multiprocessing, subprocess, tempfile
import nbformat, pytest, _pytest.tmpdir, rich.progress, torch, typer, IPython.display
import os, select, signal, socket, sys
gone = "fcntl grp pwd resource syslog termios tty pty readline curses"
sys.modules.update(dict.fromkeys(gone.split()))
lacking = {
    os: "fork forkpty getuid geteuid getgid getegid setuid setsid killpg getpgid uname statvfs "
    "pipe2 mkfifo sched_getaffinity sched_setaffinity memfd_create pidfd_open wait wait4 WNOHANG "
    "chown posix_spawn register_at_fork O_PATH O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK",
    signal: "SIGALRM SIGHUP SIGUSR1 SIGCHLD SIGPIPE SIGQUIT alarm setitimer getitimer ITIMER_REAL "
    "pthread_sigmask pthread_kill sigwait pidfd_send_signal",
    select: "poll epoll",
    socket: "AF_UNIX SCM_RIGHTS CMSG_SPACE send_fds recv_fds",
}
for module, names in lacking.items():
    for name in names.split():
        vars(module).pop(name, None)
sys.path[:0] = [%r, %r]
"""


def run(code: str, *, encoding: str = "utf-8", path: str = "", cwd: Path = ROOT) -> str:
    """What a fresh Python says to `code`, on a terminal of that encoding."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONIOENCODING": encoding, "PATH": path, "COLUMNS": "100"},
        capture_output=True,
        cwd=cwd,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode(encoding)
    return (done.stdout + done.stderr).decode(encoding)


@pytest.fixture(scope="module")
def on_windows(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What learners and the command line say there, all in one go."""
    folder = tmp_path_factory.mktemp("windows")
    notebook = ROOT / "tests" / "sample_class" / "bela.py"
    code = (
        _AS_ON_WINDOWS % (str(ROOT / "notebooks"), str(ROOT))
        + f"""
from grader import check, hint, progress
def softmax(x, dim):
    return torch.exp(x) / torch.exp(x).sum(dim, keepdim=True)
print(check(softmax))
print(hint(softmax))
print(progress())
from kit.earlier import causal_mask
print("lent:", causal_mask(2).tolist())
from grader.cli import main
for line in (
    ["--help"],
    ["doctor"],
    ["solve", {str(folder / "solved")!r}],
    ["check", {str(notebook)!r}],
    ["grade", {str(notebook)!r}, "--out", {str(folder / "marks")!r}],
    ["export", "json", {str(folder / "nothing")!r}],
):
    sys.argv = ["grader", *line]
    try:
        main()
    except SystemExit as end:
        print(line[0], "ends with", end.code or 0)
"""
    )
    return run(code, cwd=folder)  # where there is no other work to be read


@pytest.mark.parametrize(
    "says",
    [
        "softmax: partial",
        "lent: [[",
        "--help ends with 0",
        "doctor ends with 0",
        "Submissions of strangers cannot be graded on this machine",
        "solve ends with 0",
        "holds no gradebook",
        "check ends with 2",
        "in a notebook check(...) does without; on Windows, use WSL",
        "grade ends with 2",
    ],
)
def test_without_what_windows_lacks(on_windows: str, says: str) -> None:
    assert says in on_windows


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437", "utf-8"])
def test_any_terminal_can_show_any_text(encoding: str) -> None:
    """What an encoding lacks stands there in plain letters; what it has stays as it is."""
    text = "✓ √d_k → ε … “no” – Übung naïve 中 😀 \udcff"
    code = f"from grader.cli.console import speak_plainly\nspeak_plainly()\nprint({text!r})"
    said = run(code, encoding=encoding).rstrip()
    for letter in "Übung naïve":
        try:
            letter.encode(encoding)
        except UnicodeEncodeError:
            assert letter not in said
        else:
            assert letter in said
    if encoding == "ascii":
        assert said == '+ sqrtd_k -> epsilon ... "no" - Ubung naive ? ? ?'


@pytest.mark.parametrize(
    ("files", "says", "not_said"),
    [
        ({}, "/tmp", "sysctl"),
        ({"tmp/": ""}, "container", "sysctl"),
        (
            {"tmp/": "", "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n"},
            "apparmor_parser --replace",
            "disable",
        ),
        (
            {
                "tmp/": "",
                "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n",
                "etc/apparmor.d/bwrap-userns-restrict": "profile bwrap {}\n",
            },
            "apparmor_parser --remove /etc/apparmor.d/bwrap-userns-restrict",
            "sysctl",
        ),
        (
            {"tmp/": "", "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0\n"},
            "container",
            "apparmor_parser",
        ),
        (
            {"tmp/": "", "proc/sys/kernel/unprivileged_userns_clone": "0\n"},
            "kernel.unprivileged_userns_clone = 1",
            "apparmor",
        ),
        (
            {"tmp/": "", "proc/sys/user/max_user_namespaces": "0\n"},
            "user.max_user_namespaces = 15000",
            "apparmor",
        ),
    ],
)
def test_the_one_thing_that_lets_bubblewrap_work_is_said(
    tmp_path: Path, files: dict[str, str], says: str, not_said: str
) -> None:
    for name, text in files.items():
        path = tmp_path / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if text:
            path.write_text(text)
    advised = advice.for_namespaces("/usr/bin/bwrap", tmp_path)
    assert says in advised and not_said not in advised


def test_the_profile_that_is_advised_is_written_whole(tmp_path: Path) -> None:
    """The command line that people copy writes these lines, by a shell's own printf."""
    (tmp_path / "tmp").mkdir()
    switch = tmp_path / "proc/sys/kernel/apparmor_restrict_unprivileged_userns"
    switch.parent.mkdir(parents=True)
    switch.write_text("1\n")
    advised = advice.for_namespaces("/nonexistent/bwrap", tmp_path)
    command = next(line for line in advised.splitlines() if "printf" in line).partition("|")[0]
    printed = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    profile = "profile sandboxes /nonexistent/bwrap flags=(unconfined) {\n  userns,\n}\n"
    assert printed.stdout == f"abi <abi/4.0>,\n{profile}"
