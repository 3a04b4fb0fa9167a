"""Bulk downloads of Canvas and Moodle become one folder a learner, and nobody is lost silently."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.submission.downloads import handed

NAMES = [
    ("lovelaceada_1234_567_04_softmax.ipynb", ("1234", "04_softmax.ipynb", "Canvas", False)),
    ("lovelaceada_LATE_1234_567_work-1.zip", ("1234", "work-1.zip", "Canvas", True)),
    ("sub/hopper_77_8_a_b.py", ("77", "a_b.py", "Canvas", False)),
    (
        "Ada Lovelace_12345_assignsubmission_file/a/04.ipynb",
        ("12345", "a/04.ipynb", "Moodle", False),
    ),
    ("Ada_L_9_assignsubmission_file_04_softmax.ipynb", ("9", "04_softmax.ipynb", "Moodle", False)),
    ("CS 1-2/Ada_9_assignsubmission_file_/04.ipynb", ("9", "/04.ipynb", "Moodle", False)),
    ("ada/hw1/04_softmax.ipynb", ("ada", "hw1/04_softmax.ipynb", "folders", False)),
    ("04_softmax.ipynb", None),
    ("ada/picture.png", None),
    ("__MACOSX/ada/04.ipynb", None),
    ("ada/.ipynb_checkpoints/04.ipynb", None),
]


@pytest.mark.parametrize(("path", "expected"), NAMES)
def test_names_tell_who_handed_in(path: str, expected: tuple[object, ...] | None) -> None:
    found = handed(path)
    read = found and (found.who, found.file, found.platform, found.late)
    assert read == expected


def arrange(*arguments: object, status: int = 0) -> str:
    done = CliRunner().invoke(app, ["arrange", *map(str, arguments)])
    assert done.exit_code == status, done.output
    return done.output


CANVAS_ROSTER = (
    "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
    '"Lovelace, Ada",1234,u1,ada,s\n"Hopper, Grace",77,u2,grace,s\n'
)


def test_canvas_with_a_roster(tmp_path: Path) -> None:
    download = tmp_path / "submissions.zip"
    with zipfile.ZipFile(download, "w") as archive:
        archive.writestr("lovelaceada_LATE_1234_1_04.ipynb", "{}")
        archive.writestr("lovelaceada_LATE_1234_2_04.ipynb", "[]")
        archive.writestr("stranger_5_3_../../04.ipynb", "{}")
        archive.writestr("stranger_5_4_..ipynb", "{}")
        archive.writestr("readme.html", "")
    roster = tmp_path / "roster.csv"
    roster.write_text(CANVAS_ROSTER, encoding="utf-8")
    printed = arrange(download, tmp_path / "out", "--roster", roster)
    files = {p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.*")}
    assert {"ada/04.ipynb", "ada/2_04.ipynb"} <= files
    assert not (tmp_path / "04.ipynb").exists() and not (tmp_path.parent / "04.ipynb").exists()
    assert "Marked as late by the platform: ada." in printed
    assert "not in the roster: " in printed and "5" in printed
    assert "handed in nothing: grace." in printed and "readme.html" in printed


def test_moodle_without_a_roster(tmp_path: Path) -> None:
    folder = tmp_path / "download" / "Ada Lovelace_12_assignsubmission_file"
    folder.mkdir(parents=True)
    (folder / "04.ipynb").write_text("{}", encoding="utf-8")
    (folder / "link.ipynb").symlink_to("/etc/passwd")
    printed = arrange(tmp_path / "download", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["Ada Lovelace_12"]
    assert [path.name for path in (tmp_path / "out").rglob("*.ipynb")] == ["04.ipynb"]
    assert "Could not be read: Ada Lovelace_12_assignsubmission_file/link.ipynb." in printed


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"no zip")
    assert "neither a folder nor a zip" in arrange(tmp_path / "no.zip", tmp_path / "a", status=2)
    (tmp_path / "empty").mkdir()
    assert "no notebook of anybody" in arrange(tmp_path / "empty", tmp_path / "a", status=2)
    assert "is not empty" in arrange(tmp_path / "empty", tmp_path, status=2)
    printed = arrange(tmp_path / "empty", tmp_path / "a", "--roster", tmp_path / "no.zip", status=2)
    assert "has no column" in printed
