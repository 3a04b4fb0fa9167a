"""Lays out downloads as instructors do, with `grader arrange`."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from grader.cli import app


def arrange(*arguments: object, status: int = 0) -> str:
    """What the command says; its status is the one that is expected."""
    done = CliRunner().invoke(app, ["arrange", *map(str, arguments)])
    assert done.exit_code == status, done.output
    return done.output


def laid_out(tmp_path: Path, *files: str, roster: str = "") -> tuple[set[str], str]:
    """Where the files of a download lie in the end, and what is said of it."""
    download, target = tmp_path / "download", tmp_path / "class"
    for file in files:
        (download / file).parent.mkdir(parents=True, exist_ok=True)
        (download / file).write_text("x = 1\n")
    given: list[object] = []
    if roster:
        (tmp_path / "roster.csv").write_text(roster)
        given = ["--roster", tmp_path / "roster.csv"]
    said = arrange(download, target, *given)
    return {p.relative_to(target).as_posix() for p in target.rglob("*.py")}, said
