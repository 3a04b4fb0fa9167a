"""Several learners with one work: each gets its marks, and nobody takes them for copies."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort import Way
from grader.cohort.lock import held
from grader.curriculum.complaint import Complaint
from grader.curriculum.syllabus import syllabus
from grader.gradebook.groups import read_groups, shared
from grader.gradebook.store import Gradebook
from grader.gradebook.times import HandedInAt, moment, write_times

RIGHT = """
def softmax(x, dim):
    shifted = x - x.amax(dim, keepdim=True)
    powers = shifted.exp()
    total = powers.sum(dim, keepdim=True)
    return powers / total


def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    if hidden % num_heads:
        raise ValueError("it does not divide")
    return x.reshape(batch, seq, num_heads, hidden // num_heads).transpose(1, 2)
"""
POINTS = sum(syllabus()[name].points for name in ("softmax", "split_heads"))


def invoke(*arguments: object, status: int = 0, way: Way | None = None) -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)], obj=way)
    assert done.exit_code == status, done.output
    return done.output


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(("group,learner", *lines)) + "\n", encoding="utf-8")
    return path


@pytest.mark.isolation
def test_each_member_gets_the_marks(here: Way, tmp_path: Path) -> None:
    work = tmp_path / "class"
    work.mkdir()
    for name in ("team 1", "cem", "dan"):
        (work / f"{name}.py").write_text(RIGHT, encoding="utf-8")
    at = HandedInAt(moment("2026-02-01T12:00:00Z"), "UTC", "a list")
    other = HandedInAt(moment("2026-01-01T12:00:00Z"), "UTC", "a list")  # of what counts no more
    times = {**dict.fromkeys(("team 1", "cem", "dan"), at), "bob": other, "eve": other}
    write_times(tmp_path / "class_times.csv", times)
    groups = written(
        tmp_path / "groups.csv", "team 1,ann", "team 1,bob", "team 2,cem", "team 2,eve", "3,fay"
    )
    said = invoke("grade", work, "--out", tmp_path / "marks", "--groups", groups, way=here)
    assert "Nobody of these groups has handed in: 3." in said
    with Gradebook.open(tmp_path / "marks") as book:
        found = {each.learner: (each.points, each.said) for each in book.submissions()}
        assert book.times() == dict.fromkeys(("ann", "bob", "cem", "dan", "eve"), at)
    assert {each: points for each, (points, _) in found.items()} == dict.fromkeys(
        ("ann", "bob", "cem", "dan", "eve"), POINTS
    )
    assert found["ann"][1] == ("The work of ann and bob together.",) and found["dan"][1] == ()
    pages = [p.read_text(encoding="utf-8") for p in (tmp_path / "marks/report/learners").iterdir()]
    assert not any("to the letter" in page for page in pages)
    assert "The work of ann and bob together." in invoke("export", "moodle", tmp_path / "marks")
    assert "team 1" not in invoke("export", "csv", tmp_path / "marks")

    others = written(tmp_path / "others.csv", "team 2,cem", "team 2,dan")
    due = ("--deadline", "2026-01-01T00:00:00Z", "--late", "10% a day, at most 50%")
    with held(tmp_path / "marks"):  # what is refused has changed nothing
        refused = invoke(
            "grade", work, "--out", tmp_path / "marks", "--groups", others, status=2, way=here
        )
        assert "another run is grading" in refused
        assert "another run is grading" in invoke("due", tmp_path / "marks", *due, status=2)
    with Gradebook.open(tmp_path / "marks") as book:
        assert book.members("ann") == ("ann", "bob") and book.lateness() is None

    write_times(tmp_path / "class_times.csv", {"ann": at, "bob": other, "cem": at, "eve": at})
    said = invoke("grade", work, "--out", tmp_path / "marks", "--groups", groups, way=here)
    assert "so none holds; give the group a line of its own: team 1." in " ".join(said.split())


def test_a_run_without_groups_knows_of_none(here: Way, tmp_path: Path) -> None:
    work, book = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    (work / "ann.py").write_text(RIGHT, encoding="utf-8")
    groups = written(tmp_path / "groups.csv", "team,ann", "team,bob")
    invoke("grade", work, "--out", book, "--groups", groups, way=here)
    with Gradebook.open(book) as opened:
        assert opened.members("ann") == opened.members("bob") == ("ann", "bob")
    (work / "bob.py").write_text(RIGHT + "# My own.\n", encoding="utf-8")
    invoke("grade", work, "--out", book, way=here)
    with Gradebook.open(book) as opened:
        assert opened.members("ann") == opened.members("bob") == ()
        assert not any(
            "together" in each for name in ("ann", "bob") for each in opened.said_of(name)
        )


@pytest.mark.isolation
def test_groups_of_another_folder_stay_where_its_learners_do(here: Way, tmp_path: Path) -> None:
    book = tmp_path / "marks"
    for folder, members in (("1", "ann bob"), ("2", "cem dan")):
        first, other = members.split()
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{first}.py").write_text(RIGHT, encoding="utf-8")
        groups = written(tmp_path / "g.csv", f"t{folder},{first}", f"t{folder},{other}")
        line = ("--out", book, "--groups", groups, "--include-absent")
        invoke("grade", tmp_path / folder, *line, way=here)
    with Gradebook.open(book) as opened:
        assert opened.members("ann") == ("ann", "bob") and opened.members("dan") == ("cem", "dan")


@pytest.mark.isolation
def test_groups_that_are_forgotten_once_are_asked_for(here: Way, tmp_path: Path) -> None:
    work, book = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    (work / "team.py").write_text(RIGHT, encoding="utf-8")
    groups = written(tmp_path / "groups.csv", "team,ann", "team,bob")
    line = ("--out", book, "--groups", groups)
    invoke("grade", work, *line, way=here)
    (work / "team.py").write_text(RIGHT + "# Better.\n", encoding="utf-8")
    for path in (work, work / "team.py"):
        said = invoke("grade", path, "--out", book, status=2, way=here)
        assert "team was a group in the run before: give --groups again" in said
    for path in (work / "team.py", work):
        invoke("grade", path, *line, way=here)
        with Gradebook.open(book) as opened:
            found = {each.learner: each.points for each in opened.submissions()}
        assert found == {"ann": POINTS, "bob": POINTS}


@pytest.mark.isolation
def test_similarity_leaves_a_group_alone(tmp_path: Path) -> None:
    work = tmp_path / "class"
    work.mkdir()
    for name in ("ann", "bob", "cem"):
        (work / f"{name}.py").write_text(RIGHT.replace("shifted", name), encoding="utf-8")
    groups = written(tmp_path / "groups.csv", "one,ann", "one,bob")
    alone, together = (invoke("similar", work, *more) for more in ([], ["--groups", groups]))
    assert alone.count("3 pairs") == together.count("2 pairs") or (
        "no two are" in alone and "no two are" in together
    )


REFUSED = [
    (["one,ann", "two,ann"], "ann twice"),
    (["one,"], "without a group or a learner"),
    (["one,ann", "ann,bob"], "is a group and a learner of one"),
]


@pytest.mark.parametrize(("lines", "said"), REFUSED)
def test_groups_that_make_no_sense_are_refused(lines: list[str], said: str, tmp_path: Path) -> None:
    with pytest.raises(Complaint, match=said):
        read_groups(written(tmp_path / "groups.csv", *lines))


def test_a_group_that_has_somebodys_login_is_refused(here: Way, tmp_path: Path) -> None:
    work = tmp_path / "class"
    work.mkdir()
    (work / "1.py").write_text(RIGHT, encoding="utf-8")
    manifest = tmp_path / "class_manifest.csv"
    groups = written(tmp_path / "groups.csv", "eve,ann", "eve,bob")
    for learner in ("eve", "ann"):
        lines = "learner,time,file", f"{learner},2026-01-31T12:00:00Z,1.py"
        manifest.write_text("\n".join(lines) + "\n", encoding="utf-8")
        status = 2 if learner == "eve" else 0
        out = tmp_path / learner
        said = invoke("grade", work, "--out", out, "--groups", groups, status=status, way=here)
        assert ("eve is a group in" in said) is (learner == "eve")


def test_a_group_called_like_a_learner_with_marks_is_refused(here: Way, tmp_path: Path) -> None:
    work, out = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    (work / "ada.py").write_text(RIGHT, encoding="utf-8")
    invoke("grade", work, "--out", out, way=here)
    (work / "team.py").write_text(RIGHT, encoding="utf-8")
    groups = written(tmp_path / "groups.csv", "team,ann", "team,eve", "ada,bob", "ada,cy")
    said = invoke("grade", work, "--out", out, "--groups", groups, status=2, way=here)
    assert "ada is a group in" in said and "and a learner with marks in" in " ".join(said.split())
    with Gradebook.open(out) as book:
        assert [*book.learners()] == ["ada"]
    groups = written(tmp_path / "groups.csv", "team,ann", "team,eve")
    for _ in range(2):  # the same once more is refused no more than before
        said = invoke("grade", work, "--out", out, "--groups", groups, way=here)
        assert "of no learner: team. Is that a learner's own" in " ".join(said.split())
        with Gradebook.open(out) as book:
            points = {each.learner: each.points for each in book.submissions()}
        assert points == dict.fromkeys(("ada", "ann", "eve"), POINTS)


def test_two_works_of_one_group_are_refused() -> None:
    works = ("ann", "bob")
    with pytest.raises(Complaint, match="2 works, ann and bob"):
        shared(works, {"one": ("ann", "bob")})
    assert shared(works, {"ann": ("ann", "cem")}) == (
        {"bob": "bob", "ann": "ann", "cem": "ann"},
        [],
    )
