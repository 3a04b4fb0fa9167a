"""The learner's bundle works by itself and holds no answer, no check and no misconception."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from grader.cli.release.contents import refuse_answers
from grader.cli.release.write import Release, write_bundle
from grader.curriculum.complaint import Complaint
from grader.curriculum.course import course as chosen_course
from grader.curriculum.syllabus import syllabus
from tests.bundles import ROOT, bundle, run

NOTEBOOKS = chosen_course().notebooks
chapters_named = syllabus().chapters_named

SECRET = [
    *(ROOT / "solutions").glob("*.py"),
    *(ROOT / "grader" / "checks").rglob("*.py"),
    *(ROOT / "grader" / "course").glob("*/*.py"),
    *(ROOT / "grader" / "diagnosis").rglob("*.py"),
]
CATALOGUE = [
    *(ROOT / "grader" / "course" / "misconceptions").rglob("*.toml"),
    *(ROOT / "grader" / "diagnosis").rglob("*.toml"),
]
SHORTEST = 24  # characters of a line or a text that says something
# What the kit has in common with the answers: a sentence, a loop, and a map that a docstring names.
# No answer begins so.
ANYBODYS = ("except ", "if isinstance(", "elif isinstance(", "@dataclass(", "body = ast.parse(")
IN_COMMON = {
    '"Time flies like an arrow.",',
    "for layer in self.layers:",
    "self.classifier = nn.Linear(config.hidden_size, config.num_labels)",
    "return found[0], found[1]",
    "def __call__(self, ids: Tensor) -> Tensor:",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundle(tmp_path_factory.mktemp("release") / "course")


def code_lines(path: Path) -> set[str]:
    """The lines of a file that are more than a few letters; of Python those that run or tell."""
    text = path.read_text(encoding="utf-8")
    lines = {number: line.strip() for number, line in enumerate(text.splitlines(), 1)}
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                for number in range(node.lineno, (node.end_lineno or 0) + 1):
                    lines.pop(number, None)
    said = (line for line in lines.values() if not line.startswith(ANYBODYS))
    return {line for line in said if len(line) >= SHORTEST}


def words_of_the_catalogue() -> set[str]:
    """Every text of the misconceptions' tables, between what is put in; a name is no text."""

    def strings(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield from re.split(r"\{\w+\}", value)
        elif isinstance(value, dict | list):
            for each in value.values() if isinstance(value, dict) else value:
                yield from strings(each)

    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in CATALOGUE]
    texts = (text.strip() for text in strings(tables))
    return {text for text in texts if len(text) >= SHORTEST and " " in text}


def shown_to_learners() -> set[str]:
    """What the notebooks say: stubs with their docstrings, and code that is given."""
    texts = (text_of(path) for path in NOTEBOOKS.glob("*.ipynb"))
    return {line.strip() for text in texts for line in text.splitlines()}


def text_of(path: Path) -> str:
    """What a file says; of a notebook what its cells hold, not its escapes."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix != ".ipynb":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def leaks(folder: Path, lines: set[str], words: set[str]) -> dict[str, set[str]]:
    """The secret lines that stand in a file, and the secret words, wherever in it they stand."""
    starts = {each[:SHORTEST] for each in words}
    found = {}
    for path in filter(Path.is_file, sorted(folder.rglob("*"))):
        text = text_of(path)
        held = {line.strip() for line in text.splitlines()} & lines
        windows = {text[at : at + SHORTEST] for at in range(len(text))}
        if windows & starts:
            held |= {each for each in words if each in text}
        if held:
            found[path.name] = held
    return found


def test_no_line_of_what_is_hidden_is_in_it(whole: Path, tmp_path: Path) -> None:
    lines = {line for path in SECRET for line in code_lines(path)}
    lines -= shown_to_learners() | IN_COMMON
    words = words_of_the_catalogue()
    assert len(lines) > 5_000 and len(words) > 1_000
    assert leaks(whole, lines, words) == {}
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=whole,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "wheel")
    assert leaks(tmp_path / "wheel", lines, words) == {}
    tops = {path.name for path in (tmp_path / "wheel").iterdir() if not path.suffix}
    assert tops == {"grader"}


def test_a_bundle_holds_its_chapters_alone(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "some", last="03", reveal=chapters_named("00-02"))
    assert sorted(path.name[:2] for path in folder.glob("notebooks/*.ipynb")) == [
        *("00", "01", "02", "03"),
    ]
    names = tomllib.loads((folder / "grader/course/hints.toml").read_text(encoding="utf-8"))
    assert "causal_mask" in names and "softmax" not in names
    assert {path.stem for path in folder.glob("solutions/*.py")} == {
        *("__init__", "start_here", "tokenization", "embeddings"),
    }
    assert not (folder / "notebooks/kit/planted.py").exists()  # chapter 08's
    code = "from grader import progress; from kit.earlier import encode; print(progress())"
    printed = run(folder, code)
    shown = re.findall(
        r"^(\d\d) .*  [█░]{12}  0 of (\d) exercises, 0 of \d+ points$", printed, re.M
    )
    in_chapter = Counter(each.chapter[:2] for each in syllabus().exercises)
    assert shown == [(number, str(in_chapter[number])) for number in ("00", "01", "02", "03")]
    assert "Next: sentence_vector, in chapter 00." in printed and "Lent by the reference" in printed


REFUSED = [
    (("04",), (), "need AdditiveScores of 03_attention_scores"),
    (("04", "05"), ("04",), "need"),
    (("03",), ("08",), "use those of"),
]


@pytest.mark.parametrize(("chapters", "reveal", "why"), REFUSED)
def test_chapters_that_cannot_stand_alone_are_refused(
    chapters: tuple[str, ...], reveal: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    wanted = [chapters_named(",".join(each)) if each else () for each in (chapters, reveal)]
    with pytest.raises(Complaint, match=why):
        write_bundle(tmp_path / "out", Release(*wanted))


@pytest.mark.parametrize("text", ["", "5", "00-", "99", "a", "../00", "05-00"])
def test_what_names_no_chapter_is_refused(text: str) -> None:
    with pytest.raises(Complaint):
        chapters_named(text)


def test_chapters_are_named_in_any_order() -> None:
    assert chapters_named("03, 00-01") == (*syllabus().chapters[:2], syllabus().chapters[3])


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Complaint, match="not empty"):
        bundle(tmp_path)


@pytest.mark.parametrize("reveal", [(), chapters_named("04")])
def test_a_notebook_that_somebody_has_solved_is_no_part_of_it(
    reveal: tuple[str, ...], tmp_path: Path
) -> None:
    source = "import torch\ndef softmax(x, dim):\n    return torch.softmax(x, dim)"
    cells = [nbformat.v4.new_code_cell(source)]
    notebook = tmp_path / "04_softmax.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), notebook)
    if reveal:
        refuse_answers([notebook], reveal)
        return
    with pytest.raises(Complaint, match="answers softmax: make"):
        refuse_answers([notebook], reveal)


RIGHT = """
import torch
from grader import check, hint, progress, submit

def softmax(x, dim):
    x = (x - x.amax(dim, keepdim=True)).exp()
    return x / x.sum(dim, keepdim=True)

print(check(softmax))
softmax_right = softmax
def softmax(x, dim):
    return x.sum(dim)
print(check(softmax))
print(hint(softmax))
print(submit())
import sys
from grader.notebook.bundle.command import main
sys.argv = ["grader", "submit"]
try:
    main()
except SystemExit as error:
    print("ended with", error.code)
sys.argv = ["grader", "check", "."]  # stubs, as they were handed out
try:
    main()
except SystemExit as error:
    print("stubs ended with", error.code)
for name in ("masked_softmax", "LayerNorm"):
    try:
        exec(f"from kit.earlier import {name}")
    except ImportError as error:
        print(error)
"""


IN_A_KERNEL = """
import nbformat
from nbclient import NotebookClient

cells = [
    "from grader import check",
    "def softmax(x, dim):\\n    raise NotImplementedError",
    "weights = softmax(1, 2)",
    "weights + 1",
]
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
NotebookClient(notebook, kernel_name="python3").execute()
print(notebook.cells[2].outputs)
"""


def test_cells_wait_for_what_is_not_written_yet(whole: Path) -> None:
    assert "This cell waits for softmax" in run(whole, IN_A_KERNEL)


def test_without_a_checker_it_says_what_it_can_and_lends_nothing(whole: Path) -> None:
    printed = run(whole, RIGHT)
    assert "softmax: no fault found in what needs no answer" in printed
    assert "✓ passed: Gradients flow." in printed
    assert "What it computes is checked when you hand it in." in printed
    assert "softmax: this is not right yet" in printed
    assert "It is [3, 5] of float32, not [3, 5, 9] of float32." in printed
    assert "Hints for softmax" in printed and "ended with 2" in printed
    assert printed.count("names no checker") == 2  # said by submit() and by `grader submit`
    assert "stubs ended with 2" in printed
    assert "passed," not in printed  # nobody says that it has passed
    assert "masked_softmax: write and save this first, in 04_softmax.\n" in printed
    assert "LayerNorm: write and save this first, in 07_layer_norm.\n" in printed
