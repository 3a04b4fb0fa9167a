"""Whatever a class hands in ends as a learner's work or on a list with why, and nobody is lost."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.candidate.records import Verdict
from grader.cli import app
from grader.cohort import Way
from grader.gradebook.store import Gradebook
from tests.submitted import NOTEBOOK, RIGHT, WRONG, notebook_json

MARKDOWN = f"---\njupyter:\n  jupytext:\n    formats: md\n---\n\n```python\n{RIGHT}```\n".encode()
OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["step, loss\n"] * 1_500_000}


def zipped(files: dict[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return whole.getvalue()


def tarred(mode: str, files: dict[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return whole.getvalue()


def shown() -> bytes:
    """A notebook of which nearly all is what a loop has printed."""
    content = json.loads(NOTEBOOK)
    content["cells"][0]["outputs"] = [OUTPUT]
    return json.dumps(content).encode()


SEVEN = b"7z\xbc\xaf\x27\x1c" + bytes(40)
CONFLICT = b"{\n<<<<<<< HEAD\n=======\n>>>>>>> main\n}"


def with_text(text: str) -> bytes:
    code = {"cell_type": "code", "source": "x = 1"}
    return json.dumps({"cells": [code, {"cell_type": "markdown", "source": text}]}).encode()


METHOD = "class Mine:\n    @staticmethod\n" + re.sub("^", "    ", RIGHT, flags=re.MULTILINE)
# What is handed in right, each in its form; all of these get their points.
RIGHT_FORMS: dict[str, Callable[[], bytes]] = {
    "a.ipynb": lambda: NOTEBOOK,
    "b.py": RIGHT.encode,
    "c.zip": lambda: zipped({"c.ipynb": NOTEBOOK}),
    "d.tar": lambda: tarred("w", {"d.ipynb": NOTEBOOK}),
    "e.tar.gz": lambda: tarred("w:gz", {"e.ipynb": NOTEBOOK}),
    "f.tgz": lambda: tarred("w:gz", {"f.py": RIGHT.encode()}),
    "f2.tar.xz": lambda: tarred("w:xz", {"f.ipynb": NOTEBOOK}),
    "f3.tbz2": lambda: tarred("w:bz2", {"f.ipynb": NOTEBOOK}),
    "f4/f4.ipynb.xz": lambda: lzma.compress(NOTEBOOK),
    "g.zip": lambda: zipped({"inner.zip": zipped({"g.ipynb": NOTEBOOK}), "picture.png": b"x"}),
    "h/work.tar.gz": lambda: tarred("w:gz", {"h.ipynb": NOTEBOOK}),
    "i/work.zip": lambda: zipped({"inner.tar": tarred("w", {"i.ipynb": NOTEBOOK})}),
    "j/j.ipynb.gz": lambda: gzip.compress(NOTEBOOK),
    "k/k.md": lambda: MARKDOWN,
    "l.ipynb": shown,
    "m.zip": lambda: zipped({"m.ipynb": shown()}),
    "Robert'); DROP TABLE marks;--.ipynb": lambda: NOTEBOOK,
    "Zoë 🦊/🦊 a+b (1).ipynb": lambda: NOTEBOOK,
    "zwei.ipynb.txt": lambda: NOTEBOOK,
    "saved.json": lambda: NOTEBOOK,
    "y/04.JSON": lambda: b"\xef\xbb\xbf" + shown(),
    "dos.py": lambda: b"\xef\xbb\xbf" + RIGHT.replace("    ", "\t").replace("\n", "\r\n").encode(),
    "wide.py": lambda: RIGHT.encode("utf-16"),
    "course.zip": lambda: zipped(
        {"04.ipynb": NOTEBOOK, "kit/k.py": b"x = 1 + 1  # as long as a line often is\n" * 12_500}
    ),
    "copy.zip": lambda: zipped(
        {"04.ipynb": NOTEBOOK, "kit/sealed.py": b"def sealed(x):\n    return x\n"}
    ),
    "kept.zip": lambda: zipped(
        {
            "04.ipynb": NOTEBOOK,
            ".ipynb_checkpoints/04.ipynb": WRONG,
            "__MACOSX/._04.ipynb": b"x",
        }
    ),
    "upper/04.IPYNB": lambda: NOTEBOOK,
    "conflict.ipynb": lambda: notebook_json("<<<<<<< HEAD\nx = 1\n=======", RIGHT).encode(),
}
# What no points can come of: the learner, or the file where it is nobody's, and what is said.
NOT_READ: dict[str, tuple[bytes, str, str]] = {
    "n.7z": (SEVEN, "n", "of the kind 7z"),
    "o.rar": (b"Rar!\x1a\x07\x00", "o", "of the kind rar"),
    "p/work.7z": (SEVEN, "p", "work.7z: is an archive of the kind 7z"),
    "q/report.pdf": (b"%PDF-1.7", "q", "this holds only report.pdf"),
    "r.zip": (zipped({"report.docx": b"x"}), "r", "this holds only report.docx"),
    "s.ipynb": (notebook_json("print('another course')").encode(), "s", "the right notebook?"),
    "t/.hidden": (b"", "t", "this holds only .hidden"),
    "x/04.ipynb": (b"", "x", "04.ipynb: is empty"),
    "x2/04.ipynb": (NOTEBOOK[:-9], "x2", "part of it may be missing"),
    "x3/04.ipynb": (CONFLICT, "x3", "a conflict of git from line 2 on"),
    "s12.ipynb": (
        notebook_json("def f(:", "x = (").encode(),
        "s12",
        "Python could read none of its cells: ask for one that runs. s12.ipynb, cell 1, line 1: ",
    ),
    "s13.ipynb": (
        notebook_json("import torch", "def f(:").encode(),
        "s13",
        "in the cells that Python could read, and some it could not: ask for one that runs. s13",
    ),
    "t2.ipynb": (
        notebook_json(RIGHT.replace("def ", "def my_"), "check(softmax)").encode(),
        "t2",
        "t2.ipynb, cell 1: my_softmax may be the answer to softmax, which is defined nowhere",
    ),
    "t3.ipynb": (
        notebook_json(
            "def softmax(x, dim):\n    pass", RIGHT.replace("(x, d", "_v2(x, d")
        ).encode(),
        "t3",
        "t3.ipynb, cell 2: softmax_v2 may be the answer to softmax, which is still the stub",
    ),
    "t4.py": (re.sub("^(?=.)", "# ", RIGHT, flags=re.M).encode(), "t4", "softmax in a comment"),
    "s2.py": (b"\n", "s2", "this holds only s2.py"),
    "s3.py": (RIGHT.replace("    ", "\t", 1).encode(), "s3", "s3.py, line 3"),
    "s6.py": (RIGHT.replace("exp", "sin\0").encode(), "s6", "s6.py: holds NUL"),
    "s4/test_it.py": (b"from softmax import softmax\n", "s4", "the right notebook?"),
    "s5.ipynb": (with_text(RIGHT), "s5", "s5.ipynb, cell 2: holds softmax as text"),
    "s7.ipynb": (with_text(f"```python\n{RIGHT}```"), "s7", "s7.ipynb, cell 2: holds softmax"),
    "s8.py": (METHOD.encode(), "s8", "s8.py: holds softmax"),
    "s9.ipynb": (
        notebook_json(f"%%writefile mine.py\n{RIGHT}").encode(),
        "s9",
        "s9.ipynb, cell 1: holds softmax",
    ),
    "s10.py": (RIGHT.encode() + b"x = 1\n" * 10_000, "s10", "10,001 definitions are too many"),
    "s11/04.ipynb": (zipped({"s.ipynb": NOTEBOOK}), "s11", "04.ipynb: is a zip by what is in it"),
    "y2/04.json": (b'{"cells": []}', "y2", "this holds only 04.json"),
    "y3.zip": (zipped({"04.json": NOTEBOOK}), "y3", "this holds only 04.json"),
    "w2.json": (b"{}", "w2.json", "neither a notebook"),
    "z/04.txt": (RIGHT.encode() * 2000, "z", "this holds only 04.txt"),
    "u.md": (MARKDOWN, "u.md", "may be notes or a notebook"),
    "v.pdf": (b"%PDF-1.7", "v.pdf", "neither a notebook"),
    "w.html": (b"<p>softmax</p>", "w.html", "may be notes or a notebook"),
    "=cmd\n.docx": (b"x", "=cmd\\x0a.docx", "neither a notebook"),
}


def invoke(*arguments: object, way: Way | None = None) -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)], obj=way)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def marks(here: Way, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The gradebook of a class in all these forms, and what its run said."""
    folder = tmp_path_factory.mktemp("class") / "handed_in"
    for name, content in RIGHT_FORMS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content())
    for name, (raw, *_) in NOT_READ.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(raw)
    out = folder.with_name("marks")
    return out, invoke("grade", folder, "--out", out, way=here)


@pytest.fixture(scope="module")
def exported(marks: tuple[Path, str]) -> dict[str, str]:
    """What each export of that gradebook says."""
    return {form: invoke("export", form, marks[0]) for form in ("csv", "json", "canvas")}


@pytest.mark.isolation
def test_right_answers_have_their_points_in_every_form(marks: tuple[Path, str]) -> None:
    with Gradebook.open(marks[0]) as book:
        found = {e.learner: (e.points, e.problems, e.marks) for e in book.submissions()}
    learners = {name.partition("/")[0].partition(".")[0] for name in RIGHT_FORMS}
    assert {each for each, (points, *_) in found.items() if points == 2.0} == learners
    assert all(not found[each][1] for each in learners)
    assert all(mark.verdict is not Verdict.ERROR for each in learners for mark in found[each][2])
    others = {learner for _, learner, _ in NOT_READ.values() if "." not in learner}
    assert found.keys() - learners == others


@pytest.mark.isolation
@pytest.mark.parametrize("name", NOT_READ)
def test_what_is_not_read_is_on_the_list_everywhere(
    name: str, marks: tuple[Path, str], exported: dict[str, str]
) -> None:
    out, printed = marks
    _, who, why = NOT_READ[name]
    for text in (printed, exported["canvas"]):
        lines = [line.removeprefix("grader: ") for line in text.splitlines()]
        (line,) = [line for line in lines if line.startswith(f"  {who}: ")]
        assert why in line
    index = (out / "report" / "index.html").read_text(encoding="utf-8")
    by_hand = index.partition("Look at these by hand")[2].partition("<h2>Exercises")[0]
    assert why in by_hand and who.replace("'", "&#39;") in by_hand
    if "." in who:  # nobody's
        return
    end = exported["csv"].index("grader: ")
    rows = {row["learner"]: row for row in csv.DictReader(io.StringIO(exported["csv"][:end]))}
    assert why in rows[who]["not read"]
    read = json.loads(exported["json"][: exported["json"].index("grader: ")])
    (own,) = [each for each in read["submissions"] if each["learner"] == who]
    assert why in own["problems"][0]


@pytest.mark.isolation
def test_what_python_cannot_read_is_shown_to_whoever_looks(marks: tuple[Path, str]) -> None:
    page = invoke("export", "page", marks[0], "--learner", "s3")
    assert "<mark>    return x / x.sum(dim, True)</mark>" in page
    (line,) = re.findall("^grader:   (.*)", page, re.M)  # the others have their own
    assert line.startswith("s3: s3.py, line 3")


@pytest.mark.isolation
def test_who_handed_in_nothing_is_no_copy_of_another(marks: tuple[Path, str]) -> None:
    pages = [*(marks[0] / "report" / "learners").iterdir()]
    shared = [each for each in pages if "one work" in each.read_text(encoding="utf-8")]
    assert not [each for each in shared if "No code was found" in each.read_text(encoding="utf-8")]
    assert sum("Not read" in each.read_text(encoding="utf-8") for each in pages) == sum(
        "." not in who for _, who, _ in NOT_READ.values()
    )
