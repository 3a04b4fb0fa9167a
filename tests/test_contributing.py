"""CONTRIBUTING holds: its example is enough for a marked exercise, one name is one part."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import torch

from grader.curriculum.syllabus import syllabus
from tests.bundles import copy_of_package

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(
    r"^ *(Add to|In a cell of) `([\w/.]+)`:\n\n( *)```\w+\n(.*?)^ *```", re.DOTALL | re.MULTILINE
)
ANSWERS = {
    "": "NotImplementedError",
    "def perplexity(losses):\n    return losses.flatten().exp().log().mean().exp()": "passed",
    "def perplexity(losses):\n    return losses.exp().mean()": "exp is taken of each loss",
}
CHECK = """
import sys

import grader
from torch import Tensor

for code in sys.argv[1:]:
    exec(code)
    print(grader.check(perplexity), end="\\0")
"""


def test_the_example_of_a_new_exercise_is_marked(tmp_path: Path) -> None:
    for name in ("grader", "solutions"):
        copy_of_package(name, tmp_path)
    stub = ""
    places = []
    for how, path, indent, block in BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        code = re.sub(rf"^{indent}", "", block, flags=re.MULTILINE)
        places.append(path)
        if path.endswith("syllabus.toml"):
            below_chapter(tmp_path / path, "11_writing", code)
        elif how == "Add to":
            with (tmp_path / path).open("a", encoding="utf-8") as file:
                file.write(f"\n\n{code}")
        else:
            stub = code
    assert len([path for path in places if "misconceptions" not in path]) == 4

    answers = [answer or stub for answer in ANSWERS]
    command = [sys.executable, "-c", CHECK, *answers]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *cards, rest = done.stdout.split("\0")
    assert rest == "" and len(cards) == len(ANSWERS)
    for card, expected in zip(cards, ANSWERS.values(), strict=True):
        assert expected in card, card
    assert ["passed" in card.splitlines()[0] for card in cards] == [False, True, False]


def below_chapter(path: Path, chapter: str, row: str) -> None:
    """Put a row behind the last exercise of a chapter."""
    start, name, rest = path.read_text("utf-8").partition(f'name = "{chapter}"\n')
    own, header, others = rest.partition("[[chapter]]\n")
    path.write_text(f"{start}{name}{own.rstrip()}\n{row}\n{header}{others}", "utf-8")


def test_two_files_of_one_name_play_the_same_part() -> None:
    files = Counter(path.name for path in (ROOT / "grader").rglob("*.py"))
    same_part = {"__init__.py", "__main__.py", "in_process.py"}
    assert {name for name, times in files.items() if times > 1} <= same_part


def test_no_two_classes_have_one_name() -> None:
    found = Counter(
        node.name
        for file in (ROOT / "grader").rglob("*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert not {name for name, count in found.items() if count > 1}


# These speak of PyTorch's own kernels and layers, which code of any course may meet.
ITS_KERNELS = {
    *("submission/shortcuts/operators.py", "submission/shortcuts/names.py"),
    *(
        "worker/readymade.py",
        "worker/warmup.py",
        "worker/calls.py",
        "worker/effective/call_trace.py",
    ),
    *("diagnosis/locating/complaints.toml", "diagnosis/misconceptions/usual.toml"),
}


def is_pytorchs(name: str) -> bool:
    return hasattr(torch.nn.functional, name) or hasattr(torch.nn, name)


def engine_files() -> list[Path]:
    """All text of `grader/` but the course's."""
    kinds = (".py", ".toml", ".html", ".js", ".css")
    found = (path for path in (ROOT / "grader").rglob("*") if path.suffix in kinds)
    return [path for path in found if "course" not in path.relative_to(ROOT / "grader").parts[:1]]


def test_the_engine_knows_no_exercise() -> None:
    names = {name for name in syllabus().names if name not in ("encode", "sample")}
    names |= set(syllabus().chapters)
    own = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)")
    words = re.compile(r"(?i)\battentions?\b|\bbert\b|wordpiece")
    found = {}
    for path in engine_files():
        text = path.read_text("utf-8")
        known = {name for name in own.findall(text) if not is_pytorchs(name)}
        if path.relative_to(ROOT / "grader").as_posix() not in ITS_KERNELS:
            known |= set(words.findall(text))
        if known:
            found[path.relative_to(ROOT / "grader").as_posix()] = known
    assert found == {}


def test_no_file_is_longer_than_a_person_reads_at_once() -> None:
    files = (ROOT / "grader").rglob("*.py")
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in files}
    assert {path: count for path, count in lines.items() if count > 300} == {}
