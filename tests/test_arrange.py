"""Bulk downloads of Canvas and Moodle become one folder a learner, and nobody is lost silently."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cli.downloads import Handed, TwoReadings, handed
from grader.cli.placing import IN_DOUBT, NOBODYS, PASSED_OVER, decide
from grader.cli.platform_roster import PlatformLine
from tests.arranging import arrange, laid_out

NAMES = [
    ("lovelaceada_1234_567_04_softmax.ipynb", ("1234", "04_softmax.ipynb", "Canvas", False)),
    ("lovelaceada_LATE_1234_567_work-1.zip", ("1234", "work-1.zip", "Canvas", True)),
    ("lovelaceada_LATE_1234_text.html", ("1234", "text.html", "Canvas", True)),
    ("lovelaceada_1234_link.html", ("1234", "link.html", "Canvas", False)),
    ("lovelaceada_1234_other.html", None),
    ("hopper_77_8_a_b.py", ("77", "a_b.py", "Canvas", False)),
    ("hopper_77_8_assignsubmission_b.py", ("77", "assignsubmission_b.py", "Canvas", False)),
    (
        "Ada Lovelace_12345_assignsubmission_file/a/04.ipynb",
        ("12345", "a/04.ipynb", "Moodle", False),
    ),
    ("Ada_L_9_assignsubmission_file_04_softmax.ipynb", ("9", "04_softmax.ipynb", "Moodle", False)),
    ("Ada_9_assignsubmission_file_/04.ipynb", ("9", "04.ipynb", "Moodle", False)),
    ("Ada_9_assignsubmission_plugin_04.ipynb", ("9", "04.ipynb", "Moodle", False)),
    # What a learner chose comes behind, and says nothing of who handed in.
    ("Ada_9_assignsubmission_file/b_7_assignsubmission_file_a.py", ("9", None, "Moodle", False)),
    ("ada/b_7_assignsubmission_file_a.py", ("ada", None, "folders", False)),
    ("ada/hopper_77_8_a.py", ("ada", None, "folders", False)),
    ("Zed 777_1_assignsubmission_file_a.py", ("1", "a.py", "Moodle", False)),
    ("ada/hw1/04_softmax.ipynb", ("ada", "hw1/04_softmax.ipynb", "folders", False)),
    ("04_softmax.ipynb", None),
    ("ada/picture.png", ("ada", "picture.png", "folders", False)),
    ("Ada_9_assignsubmission_file/work.pdf", ("9", "work.pdf", "Moodle", False)),
    ("picture.png", None),
    ("__MACOSX/ada/04.ipynb", None),
    ("ada/.ipynb_checkpoints/04.ipynb", ("ada", None, "folders", False)),
    ("submission_31/a/04.ipynb", ("31", "a/04.ipynb", "Gradescope", False)),
    ("assignment_7_export/submission_31/04.py", ("31", "04.py", "Gradescope", False)),
    ("ada/submission_31/04.ipynb", ("ada", None, "folders", False)),
]


@pytest.mark.parametrize(("path", "expected"), NAMES)
def test_names_tell_who_handed_in(path: str, expected: tuple[object, ...] | None) -> None:
    found = handed(path)
    if expected is None:
        assert found is None
        return
    assert isinstance(found, Handed)
    file = expected[1] or path.partition("/")[2]
    assert (found.who, found.file, found.platform, found.late) == (expected[0], file, *expected[2:])


def test_names_and_lists_alone_decide_where_a_file_goes() -> None:
    two_ways = "Zed_777_1_assignsubmission_file_a.py"
    paths = ["ada_LATE_12_3_a.pdf", "bob/x/.b.py", "a.py", two_ways, "ada_12_4_a.py"]
    placements, left_out = decide(paths, {"12": PlatformLine("ada@x.org")})
    found = [(paths[p.number], p.learner.folder, p.name) for p in placements]
    assert found == [("bob/x/.b.py", "bob", "x/.b.py"), ("ada_12_4_a.py", "ada@x.org", "a.py")]
    doubt = f"{two_ways}: of Zed_777 (1) or of Zed (777)"
    assert left_out == [(NOBODYS, "a.py"), (IN_DOUBT, doubt), (PASSED_OVER, ".pdf")]


def test_a_file_whose_name_moodle_alone_has_given_has_a_place(tmp_path: Path) -> None:
    found, _ = laid_out(tmp_path, "Ada_9_assignsubmission_file_")
    assert {path.name for path in (tmp_path / "class" / "Ada_9").iterdir()} == {"_"} and not found


def test_a_number_is_never_cut(tmp_path: Path) -> None:
    files, _ = laid_out(tmp_path, f"Ada {'-' * 90}_12345_assignsubmission_file/a.py")
    assert [file.rpartition("_")[2] for file in files] == ["12345/a.py"]


@pytest.mark.parametrize("name", ["=1+1", "@SUM(1,1)", "-2", "＝1"])
def test_no_learners_name_is_a_formula(tmp_path: Path, name: str) -> None:
    laid_out(tmp_path, f"{name}_31_assignsubmission_file/a.py")
    _, row = (tmp_path / "class_times.csv").read_text(encoding="utf-8").splitlines()
    assert row.lstrip('"').startswith(f"_{name}_31")


IN_TWO_WAYS = [
    "Zed_777_1_assignsubmission_file_a.py",
    "Ada_1_assignsubmission_file_q_7_assignsubmission_file_a.py",
    "Ada_1_assignsubmission_onlinetext_7_assignsubmission_file_a.py",
    "Ada_1_assignsubmission_file_q_7_assignsubmission_onlinetext_/a.py",
    "ada_1_2_q_7_assignsubmission_file_a.py",
    "ada_LATE_1_2_q_7_assignsubmission_file_a.py",
]


@pytest.mark.parametrize("path", IN_TWO_WAYS)
def test_a_name_that_can_be_read_in_two_ways_is_nobodys(path: str) -> None:
    found = handed(path)
    assert isinstance(found, TwoReadings) and len(found.whose) == 2


def test_nobody_takes_anothers_place(tmp_path: Path) -> None:
    """Whatever a learner calls a file, the others' are what they were, and all is accounted for."""
    download = tmp_path / "download.zip"
    names = [
        "Zed Victim_777_assignsubmission_file_a.py",
        "Ada_111_assignsubmission_file_q_777_assignsubmission_file_a.py",
        "Ada_111_assignsubmission_file_..py",
        "Ada_111_assignsubmission_file_" + "長" * 150 + ".py",
        "Ada_112_assignsubmission_file_a.py",
        "plain/q_777_assignsubmission_file_a.py",
        "777/a.py",
        "Jose\u0301/a.py",
        "jos\u00e9/a.py",
    ]
    with zipfile.ZipFile(download, "w") as archive:
        for name in names:
            archive.writestr(name, name)
    roster = tmp_path / "roster.csv"
    roster.write_text("ID,Full name\n777,Zed Victim\n111,Ada\n", encoding="utf-8")
    printed = arrange(download, tmp_path / "out", "--roster", roster)
    found: dict[str, set[str]] = {}
    for path in (tmp_path / "out").rglob("*.py"):
        found.setdefault(path.parent.name, set()).add(path.read_text(encoding="utf-8"))
    assert found == {
        "Zed Victim_777": {names[0]},
        "Ada_111": {names[2], names[3]},
        "Ada_112": {names[4]},
        "plain": {names[5]},
        "777": {names[6]},
        "Jose\u0301": {names[7]},
        "jos\u00e9 (2)": {names[8]},
    }
    assert f"{names[1]}: of Ada (111) or of Ada_111_assignsubmission_file_q (777)" in printed
    assert "as another learner had the name: jos\u00e9 (2)." in printed


def test_a_download_within_a_folder_is_no_learner(tmp_path: Path) -> None:
    for name in ("hopper_77_8_a.py", "lovelace_78_9_a.py"):
        (tmp_path / "download" / "sub" / "inside").mkdir(parents=True, exist_ok=True)
        (tmp_path / "download" / "sub" / "inside" / name).write_text("", encoding="utf-8")
    printed = arrange(tmp_path / "download", tmp_path / "out", status=2)
    assert "sub/inside/hopper_77_8_a.py: of sub or of hopper (77)" in printed
    printed = arrange(tmp_path / "download" / "sub" / "inside", tmp_path / "out")
    assert "2 files of 2 learners" in printed


# Part of a name, in which no line of the list ends.
OTHER_LINES = "\u2028submission_31:\u2028  :submitters:\u2028  - :name: C\u2028    :sid: s3"


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize(
    "names",
    [
        ("adalovelace_11_22_04_softmax.ipynb", "bobbrown_33_44_04_softmax.ipynb"),
        ("Ada Lovelace_11_assignsubmission_file/04.py", "Bob_33_assignsubmission_file/04.py"),
    ],
)
def test_a_download_that_would_be_one_hand_in_is_refused(
    names: tuple[str, ...], form: str, tmp_path: Path
) -> None:
    download = tmp_path / "class" / "Assignment 4"
    for name in names:
        path = download / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    given = download.parent
    if form == "zip":
        given = Path(shutil.make_archive(str(tmp_path / "submissions"), "zip", download))
    done = CliRunner().invoke(app, ["grade", str(given), "--out", str(tmp_path / "marks")])
    assert done.exit_code == 2 and "`grader arrange` lays it out" in " ".join(done.output.split())
    assert "11" in done.output and "33" in done.output


def test_gradescope_says_whose_each_is(tmp_path: Path) -> None:
    people = (
        ("31", ("Ada L.", "s1", "ada@x.org"), ("Bob: B", "~", "bob@x.org")),
        ("32", (f"'Cem{OTHER_LINES}'", "s3", "~"), ("bob@x.org", "~", "~")),
        ("34", ("ada@x.org", "~", "~")),  # a name, which people choose for themselves
    )
    lines = ["---"]
    for number, *those in people:
        lines += [f"submission_{number}:", "  :submitters:"]
        for name, sid, mail in those:
            lines += [f"  - :name: {name}", f"    :sid: {sid}", f"    :email: {mail}"]
        lines += ["  :created_at: 2026-02-01 00:30:00.000000000 -08:00", "  :score: 1.0"]
    download = tmp_path / "export.zip"
    with zipfile.ZipFile(download, "w") as archive:
        archive.writestr("assignment_7_export/submission_metadata.yml", "\n".join(lines))
        for number in ("31", "32", "33", "34"):
            archive.writestr(f"assignment_7_export/submission_{number}/04.py", number)
        # What a learner writes is no list of Gradescope's.
        own = "assignment_7_export/submission_33/submission_metadata.yml"
        archive.writestr(own, "\n".join(lines).replace("submission_31", "submission_33"))
    printed = arrange(download, tmp_path / "out")
    found = {p.parent.name: p.read_text() for p in (tmp_path / "out").rglob("04.py")}
    assert found == {n: n[-2:] for n in ("submission_33", "submission_34")} | {
        "ada@x.org": "31",
        "s3": "32",
    }
    nameless = (
        "nobody's until you say whose: bob@x.org of submission_32, ada@x.org of submission_34"
    )
    assert nameless in printed
    groups = (tmp_path / "out_groups.csv").read_text(encoding="utf-8").splitlines()
    assert groups == ["group,learner", "ada@x.org,ada@x.org", "ada@x.org,bob@x.org"]
    assert "1 work of several" in printed and "submission_33" in printed
    times = (tmp_path / "out_times.csv").read_text(encoding="utf-8")
    assert "ada@x.org,2026-02-01T00:30:00-08:00," in times
    roster = tmp_path / "roster.csv"
    roster.write_text("ID,SIS Login ID\n31,eve\n", encoding="utf-8")
    refused = arrange(download, tmp_path / "a", "--roster", roster, status=2)
    assert "leave --roster out" in refused


def test_what_tools_keep_is_their_learners_and_a_class_within_a_folder_is_no_learner(
    tmp_path: Path,
) -> None:
    for path in ("ada/.ipynb_checkpoints/a.ipynb", "bob/.git/config", "bob/b.py", "bob/README.md"):
        (tmp_path / "class" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / path).write_text("", encoding="utf-8")
    printed = arrange(tmp_path / "class", tmp_path / "out")
    assert "2 learners in" in printed and "by the folders' names." in printed
    assert "which marking will say: ada." in printed and "no name says whose" not in printed
    assert "Without a time: everybody." in printed and "1 .git" in printed
    assert [*(tmp_path / "out" / "ada").iterdir()] == [tmp_path / "out/ada/.ipynb_checkpoints"]
    (tmp_path / "whole").mkdir()
    (tmp_path / "class").rename(tmp_path / "whole" / "class")
    (tmp_path / "whole" / "class" / "ada" / "a.py").write_text("", encoding="utf-8")
    refused = arrange(tmp_path / "whole", tmp_path / "a", status=2)
    assert "all of it lies in one folder, class" in refused


def test_what_lies_in_folders_stays_below_what_lies_on_top(tmp_path: Path) -> None:
    files = ["a.py", "a.py/b.py", "04.py", "old/04.py", "/".join("d" * 12) + "/c.py"]
    download = tmp_path / "download.zip"
    with zipfile.ZipFile(download, "w") as archive:
        for file in files:
            archive.writestr(f"Ada_9_assignsubmission_file/{file}", "x = 1")
    arrange(download, tmp_path / "out")
    deep = "_".join("d" * 12) + "_c.py"
    own = tmp_path / "out" / "Ada_9"
    found = {p.relative_to(own).as_posix() for p in own.rglob("*.py") if p.is_file()}
    assert found == {"a.py", "2_a.py/b.py", "04.py", "old/04.py", deep}


def test_githubs_list_says_whose_a_repository_is(tmp_path: Path) -> None:
    rows = ("ada@x.org,ada", "bob@x.org,Bob-B", "b@x.org,b", "cy@x.org,", "di@x.org,di")
    files = [f"week4-{user}/04.py" for user in ("ada", "bob-b", "di", "gil", "a-ada")]
    roster = "identifier,github_username,github_id,name\n" + "".join(f"{r},7,\n" for r in rows)
    found, said = laid_out(tmp_path, *files, roster=roster)
    # A user who has chosen a name that ends as another's does is not the other one.
    learners = {"ada@x.org", "di@x.org", "bob@x.org", "week4-gil", "week4-a-ada"}
    assert {file.partition("/")[0] for file in found} == learners
    assert "not in the roster: week4-a-ada, week4-gil." in said
    assert "handed in nothing: b@x.org, cy@x.org." in said


def test_a_repository_that_may_be_of_two_users_is_nobodys(tmp_path: Path) -> None:
    roster = "identifier,github_username\nbob@x.org,bob-b\nb@x.org,b\n"
    found, said = laid_out(tmp_path, "week4-bob-b/04.py", roster=roster)
    assert [file.partition("/")[0] for file in found] == ["week4-bob-b"]
    assert "not in the roster: week4-bob-b." in said


def test_attempts_of_an_exchange_are_said_to_be_no_learners(tmp_path: Path) -> None:
    attempts = [f"{who}+ps1+2026-01-31 10:00:00.0 UTC+x/a.py" for who in ("ada", "bob")]
    assert "no learner: arrange its folder `submitted`" in laid_out(tmp_path, *attempts)[1]


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
    assert "handed in nothing, or only what is left out below: grace." in printed
    assert "readme.html" in printed


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
