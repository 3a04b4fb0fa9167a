"""Several attempts of one learner: a manifest tells whose each is; the last counts, or the best."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort import Way
from grader.cohort.messages import Marking, Setup
from grader.gradebook.store import Gradebook
from grader.service.ledger import Ledger

RIGHT = (
    "def softmax(x, dim):\n    x = (x - x.amax(dim, True)).exp()\n    return x / x.sum(dim, True)\n"
)
WRONG = "def softmax(x, dim):\n    return x\n"


def graded(way: Way, folder: Path, out: Path, *more: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, ["grade", str(folder), "--out", str(out), *more], obj=way)
    assert done.exit_code == status, done.output
    return done.output


def written_manifest(folder: Path, *rows: tuple[str, str, str]) -> None:
    lines = [("file", "learner", "time"), *rows]
    with Path(f"{folder}_manifest.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(lines)


def points(out: Path) -> dict[str, float]:
    with Gradebook.open(out) as book:
        return {each.learner: each.points for each in book.submissions()}


@pytest.mark.isolation
def test_the_best_counts_and_nothing_is_marked_twice(here: Way, tmp_path: Path) -> None:
    work, out = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    for day, code in (("01", WRONG), ("02", RIGHT), ("03", RIGHT + "\n"), ("04", WRONG)):
        (work / f"z{day}.py").write_text(code, encoding="utf-8")
    (work / "a.py").write_text(RIGHT, encoding="utf-8")
    rows = [(f"z{day}.py", "ada", f"2026-02-{day}T12:00:00Z") for day in ("04", "01", "03", "02")]
    written_manifest(work, ("a.py", "grace", "2026-02-01T12:00:00+02:00"), *rows)
    graded(here, work, out, "--attempts", "best")
    assert points(out) == {"ada": 2.0, "grace": 2.0}
    assert "0 submissions marked" in graded(here, work, out, "--attempts", "best")
    with (out / "attempts.csv").open(encoding="utf-8") as file:
        ada, grace = csv.DictReader(file)
    assert ada == {"learner": "ada", "time": "2026-02-02T12:00:00Z", "attempt": "2", "of": "4"}
    assert grace == {
        **{"learner": "grace", "attempt": "1", "of": "1"},
        "time": "2026-02-01T12:00:00+02:00",
    }
    graded(here, work, out, "--attempts", "last")
    assert points(out) == {"ada": 0.0, "grace": 2.0}
    # The table says when what counts was handed in, which lateness is reckoned from.
    rule = ["--deadline", "2026-02-03T12:00:00Z", "--late", "50% a day"]
    late = ["due", str(out), *rule, "--times", str(out / "attempts.csv")]
    assert CliRunner().invoke(app, late).exit_code == 0


@pytest.mark.isolation
def test_points_by_hand_are_for_all_of_an_answer_where_the_best_counts(
    here: Way, tmp_path: Path
) -> None:
    """Not for the lines alone that are shown of it."""
    work, out = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    first = (
        "from torch import sin as f\ndef softmax(x, dim):\n    return f(x) / f(x).sum(dim, True)\n"
    )
    (work / "ada1.py").write_text(first, encoding="utf-8")
    (work / "bob1.py").write_text(first, encoding="utf-8")
    rows = [(f"{who}1.py", who, "2026-02-01T12:00:00Z") for who in ("ada", "bob")]
    written_manifest(work, *rows)
    graded(here, work, out, "--attempts", "best")
    for who in ("ada", "bob"):
        given = ["override", str(out), who, "softmax", "2", "--reason", "fine", "--who", "Dr B"]
        assert CliRunner().invoke(app, given).exit_code == 0
    more = "from torch import erf\ndef gelu(x):\n    return x / 2 * (1 + erf(x / 2**0.5))\n"
    other = first.replace("sin as f", "sinh as f")
    (work / "ada2.py").write_text(other + more, encoding="utf-8")
    (work / "bob2.py").write_text("# Mine.\n" + first + more, encoding="utf-8")
    rows += [(f"{who}2.py", who, "2026-02-02T12:00:00Z") for who in ("ada", "bob")]
    written_manifest(work, *rows)
    graded(here, work, out, "--attempts", "best")
    with Gradebook.open(out) as book:
        held = {e.learner: {m.name: m.points for m in e.marks} for e in book.submissions()}
    assert held["ada"]["gelu"] == held["bob"]["gelu"] > 0
    assert (held["ada"]["softmax"], held["bob"]["softmax"]) == (0.0, 2.0)


@pytest.mark.isolation
def test_of_very_many_attempts_the_latest_are_marked(here: Way, tmp_path: Path) -> None:
    work, out = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    rows = []
    for learner, count in (("ada", 21), ("bob", 20)):
        for number in range(count):
            code = f"{WRONG if number else RIGHT}# {number}\n"
            (work / f"{learner}{number}.py").write_text(code, encoding="utf-8")
            rows.append((f"{learner}{number}.py", learner, f"2026-02-01T12:{number:02}:00Z"))
    written_manifest(work, *rows)
    printed = graded(here, work, out, "--attempts", "best")
    assert "the latest 20 attempts" in printed and "bob." not in printed
    assert points(out) == {"ada": 0.0, "bob": 2.0}
    with (out / "attempts.csv").open(encoding="utf-8") as file:
        assert [(row["attempt"], row["of"]) for row in csv.DictReader(file)] == [
            *(("2", "21"), ("1", "20"))
        ]


@pytest.mark.isolation
def test_a_run_that_is_stopped_at_the_attempts_leaves_no_marks_that_look_new(
    here: Way, tmp_path: Path
) -> None:
    work, out = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    for day, code in (("01", WRONG), ("02", RIGHT)):
        (work / f"{day}.py").write_text(code, encoding="utf-8")
        days = [f"{each:02}" for each in range(1, int(day) + 1)]
        rows = [(f"{each}.py", "ada", f"2026-02-{each}T12:00:00Z") for each in days]
        written_manifest(work, *rows)

        def stopped(setup: Setup) -> Marking:
            raise KeyboardInterrupt

        graded(stopped, work, out, "--attempts", "best", status=3)
        export = CliRunner().invoke(app, ["export", "csv", str(out)])
        assert export.exit_code == 3 and "is incomplete" in export.output
        graded(here, work, out, "--attempts", "best")
        assert CliRunner().invoke(app, ["export", "csv", str(out)]).exit_code == 0
    assert points(out) == {"ada": 2.0}


def handed_in(code: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("answer.py", code)
    return packed.getvalue()


@pytest.mark.isolation
@pytest.mark.parametrize("every", [[], ["--every"]])
def test_a_name_that_looks_like_another_and_a_time_is_a_learner(
    here: Way, every: list[str], tmp_path: Path
) -> None:
    others = ["ada+x@uni.edu", "ada+2099-12-31T235959Z", "ada, 2", "ada.zip", "CON", "a_d_a"]
    with Ledger(tmp_path / "store") as store:
        store.enrol(["ada", *others])
        store.keep("ada", handed_in(RIGHT))
        for other in others:
            store.keep(other, handed_in(WRONG))
            store.keep(other, handed_in(WRONG + "\n"))
    collect = ["collect", str(tmp_path / "store"), str(tmp_path / "kept"), *every]
    assert CliRunner().invoke(app, collect).exit_code == 0
    attempts = ["--attempts", "last"] if every else []
    graded(here, tmp_path / "kept", tmp_path / "marks", *attempts)
    assert points(tmp_path / "marks") == {"ada": 2.0, **dict.fromkeys(others, 0.0)}


UNFIT = [
    ((), "has no line for a.py"),
    ((("a.py", "ada", "2026-01-31T12:00:00Z"), ("b.py", "ada", "2026-01-31T12:00:00Z")), "b.py"),
    ((("a.py", "ada", "2026-01-31T12:00:00Z"),) * 2, "two lines for a.py"),
    ((("a.py", "", "2026-01-31T12:00:00Z"),), "no learner for a.py"),
    ((("a.py", "ada", "2026-01-31T12:00:00"),), "has no zone"),
    ((("a.py", "ada", "yesterday"),), "'yesterday' is no moment"),
    ((("a.py", "ada", "9999-12-31T23:59:59-12:00"),), "check its year"),
]


@pytest.mark.parametrize(("rows", "complaint"), UNFIT)
def test_a_manifest_that_does_not_fit_is_refused(
    here: Way, rows: tuple[tuple[str, str, str], ...], complaint: str, tmp_path: Path
) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "a.py").write_text(WRONG, encoding="utf-8")
    written_manifest(tmp_path / "class", *rows)
    assert complaint in graded(here, tmp_path / "class", tmp_path / "out", status=2)


def test_without_a_manifest_no_attempts_are_told_apart(here: Way, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada+2026-01-31T120000Z.py").write_text(WRONG, encoding="utf-8")
    printed = graded(here, tmp_path / "class", tmp_path / "out", "--attempts", "last", status=2)
    assert "class_manifest.csv" in printed and "file, learner, time" in printed


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["grade", str(tmp_path), "--out", "o", "--attempts", "first"])
    assert done.exit_code == 2


@pytest.mark.isolation
def test_whose_a_single_file_is_its_folders_manifest_says(here: Way, tmp_path: Path) -> None:
    """Whatever it is called: bob.py is ada's. Also for who looks for copies."""
    work, out = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    (work / "bob.py").write_text(WRONG, encoding="utf-8")
    (work / "x.py").write_text(RIGHT, encoding="utf-8")
    (work / "old.py").write_text(WRONG + "\n", encoding="utf-8")
    at = "2026-02-0{}T12:00:00Z".format
    written_manifest(
        work, ("bob.py", "ada", at(1)), ("x.py", "bob", at(2)), ("old.py", "bob", at(1))
    )
    graded(here, work, out, "--attempts", "last")
    assert points(out) == {"ada": 0.0, "bob": 2.0}
    graded(here, work / "bob.py", out)
    assert points(out) == {"ada": 0.0, "bob": 2.0}
    assert "bob has handed in again since old.py" in graded(here, work / "old.py", out, status=2)
    (work / "bob.py").write_text(RIGHT, encoding="utf-8")
    said = CliRunner().invoke(app, ["similar", str(work)]).output
    assert said.startswith("Of 2 submissions")


@pytest.mark.isolation
def test_who_loses_points_with_answers_that_are_gone_is_told(here: Way, tmp_path: Path) -> None:
    out = tmp_path / "marks"
    for week, code in (("4", RIGHT), ("5", "def split_heads(x, n):\n    return x\n")):
        (tmp_path / week).mkdir()
        (tmp_path / week / "ada.py").write_text(code, encoding="utf-8")
        said = graded(here, tmp_path / week, out)
    assert "These had points for exercises that are not in what they have handed in now" in said
    assert "its own --out: ada." in said
    assert "had points" not in graded(here, tmp_path / week, out)


@pytest.mark.isolation
def test_hand_ins_that_are_exchanged_while_they_are_marked(here: Way, tmp_path: Path) -> None:
    """As a nightly `collect` may do: times and files are of two sets, and it is said."""
    work = tmp_path / "class"
    work.mkdir()
    (work / "a.py").write_text(RIGHT, encoding="utf-8")
    written_manifest(work, ("a.py", "ada", "2026-02-01T12:00:00Z"))

    def meanwhile(setup: Setup) -> Marking:
        written_manifest(work, ("a.py", "ada", "2026-02-03T12:00:00Z"))
        return here(setup)

    said = graded(meanwhile, work, tmp_path / "marks", status=3)
    assert "the hand-ins were exchanged while they were marked: run this again" in said
    assert "exchanged" not in graded(here, work, tmp_path / "marks")
