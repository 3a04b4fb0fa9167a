"""Writes a bundle for `grader release` and says what is in it; knows no file of it."""

import ipaddress
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console

from ..bundle.chapters import ReleaseError, chapters_of
from ..bundle.write import Release, write_bundle
from ..curriculum.syllabus import syllabus
from .console import say


def release_bundle(
    out: Console, folder: Path, chapters: str, reveal: str, checker: str, hub: bool = False
) -> None:
    """Write it; raises ReleaseError."""
    if hub and not checker:
        raise ReleaseError(
            "--hub needs --checker, such as https://hub.example.org/services/checker"
        )
    shown = chapters_of(chapters) if chapters else syllabus().chapters
    revealed = chapters_of(reveal) if reveal else ()
    if checker:
        parts = urlsplit(checker)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ReleaseError(f"{checker!r} is no address; write https://checker.example.org")
        if parts.scheme == "http" and not is_this_machine(parts.hostname):
            say("Tokens and code travel to this checker in the clear: put TLS in front of it.", out)
    write_bundle(folder, Release(shown, revealed, checker.rstrip("/"), hub))
    message = f"The bundle lies in {folder}: chapters {', '.join(name[:2] for name in shown)}"
    message += f"; solutions of {', '.join(name[:2] for name in revealed)}" if revealed else ""
    checked_by = "It has no checker: `check` looks at what needs no answer."
    if checker:
        checked_by = f"Checks are answered by {checker}."
    say(f"{message}. {checked_by}", out)


def is_this_machine(host: str) -> bool:
    """Whether what is sent to this host never leaves the machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
