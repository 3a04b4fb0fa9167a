"""Lays out downloads as instructors do, with `grader arrange`."""

from __future__ import annotations

from typer.testing import CliRunner

from grader.cli import app


def arrange(*arguments: object, status: int = 0) -> str:
    """What the command says; its status is the one that is expected."""
    done = CliRunner().invoke(app, ["arrange", *map(str, arguments)])
    assert done.exit_code == status, done.output
    return done.output
