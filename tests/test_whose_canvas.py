"""In Canvas people choose how they are called: no such name says whose a file or a row is."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.service.enrolment import read_roster
from grader.service.ledger import Ledger
from tests.arranging import arrange, laid_out
from tests.exported import exported
from tests.marked import gradebook, recorded

HEAD = "Student,ID,SIS User ID,SIS Login ID,Section\n"
ROSTERS = ["", f"{HEAD}V,777,v,victim,1\nM,1234,m,mallory_7,1\n", f"{HEAD}V,777,v,victim,1\n"]
# Of user 1234, who has chosen the name in front.
NAMED = [
    "m_777_1234_567_z.py",
    "victim_777_1234_567_04_softmax.py",
    "victim_777_88_04_softmax_1234_567_z.py",
    "victim_777_1234_text.html",
    "victim_777_88_1234_link.html",
]


@pytest.mark.parametrize("roster", ROSTERS)
@pytest.mark.parametrize("own", ["softmax.py", "04_softmax.py", "11_writing.py"])
def test_a_name_that_holds_somebodys_number_moves_nothing(
    tmp_path: Path, roster: str, own: str
) -> None:
    files, said = laid_out(tmp_path, f"victim_777_88_{own}", *NAMED, "ada_9_1_a.py", roster=roster)
    victim = "victim" if roster else "Canvas user 777"
    assert files == {f"{victim}/{own}", "Canvas user 9/a.py"}
    assert "  m_777_1234_567_z.py: of m (777) or of 1234\n" in said
    assert all(f"  {name}: of " in said for name in NAMED)


TAKEN = ["Canvas user 777", "canvas  USER_777", "\uff23anvas user 777"]


@pytest.mark.parametrize("name", TAKEN)
def test_who_is_called_like_a_number_of_canvas_is_called_otherwise(
    tmp_path: Path, name: str
) -> None:
    files, said = laid_out(tmp_path, f"{name}/a.py", "bob/b.py")
    assert files == {f"_{name}/a.py", "bob/b.py"}
    assert f"such a name stands for a number of Canvas': _{name}." in said
    gradebook(tmp_path, *(recorded(each, []) for each in ("bob", f"_{name}")))
    roster = tmp_path / "roster.csv"
    roster.write_text(f"{HEAD}Vera,777,s7,vera,A\n{name},111,s1,mal,A\nB,5,s5,bob,A\n")
    rows = csv.reader(io.StringIO(exported("canvas", tmp_path, roster=roster)))
    assert [row[1] for row in rows] == ["ID", "", "5"]


def test_nor_does_a_login_become_one(tmp_path: Path) -> None:
    files, _ = laid_out(tmp_path, "v_777_8_a.py", "m_5_9_b.py", roster=f"{HEAD}M,5,,{TAKEN[0]},\n")
    assert files == {"Canvas user 777/a.py", "_Canvas user 777/b.py"}


@pytest.mark.parametrize("name", TAKEN)
def test_nor_does_the_checker_take_in_anybody_of_such_a_name(tmp_path: Path, name: str) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text(f"Student,ID\nVera,777\n{name},111\n", encoding="utf-8")
    serve = ["serve", str(tmp_path / "kept"), "--roster", str(roster), "--host", "192.0.2.1"]
    done = CliRunner().invoke(app, serve)
    assert done.exit_code == 2 and "line 3: " in done.output
    assert "of whom Canvas' number alone is known" in done.output
    with Ledger(tmp_path / "kept") as store:
        assert store.learners() == []


def test_a_list_that_gives_two_people_one_number_is_refused(tmp_path: Path) -> None:
    (tmp_path / "download").mkdir()
    roster = tmp_path / "roster.csv"
    roster.write_text(f"{HEAD}V,777,,vera,\nM,777,,mal,\n", encoding="utf-8")
    said = arrange(tmp_path / "download", tmp_path / "a", "--roster", roster, status=2)
    assert "'vera' and 'mal' both have '777'" in said


def test_canvas_own_test_student_is_nobody_who_could_hand_in(tmp_path: Path) -> None:
    tests = f'"Student, Test",8,,{40 * "a"},\n"Student, Test",9,u9,tester,\n'
    roster = f"{HEAD}Ada,777,u7,ada,\n{tests}"
    _, said = laid_out(tmp_path, "ada_777_1_a.py", roster=roster)
    assert "handed in nothing: tester." in said  # who has a number of the school is somebody
    assert read_roster(tmp_path / "roster.csv") == ("ada", "tester")
