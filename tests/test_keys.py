"""A mark's key covers everything that judges: what can have a say in a mark changes the digest."""

from __future__ import annotations

import ast
import importlib.metadata
import shutil
from pathlib import Path

import pytest

from grader.cohort.keys import NO_JUDGES, judging_digest, judging_files
from grader.wall.packages import installed, shown

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "grader"
JUDGING = judging_files(PACKAGE)


def test_every_file_judges_or_is_known_not_to() -> None:
    there = {path for path in PACKAGE.rglob("*") if path.is_file()}
    there = {path for path in there if "__pycache__" not in path.parts}
    there = {path for path in there if not path.name.startswith(".")}
    outside = {path for path in there if path.relative_to(PACKAGE).as_posix().startswith(NO_JUDGES)}
    solutions = set((ROOT / "solutions").glob("*.py"))
    assert set(JUDGING) == (there - outside) | solutions
    for left_out in NO_JUDGES:
        assert (PACKAGE / left_out).exists(), left_out


def test_nothing_that_judges_uses_what_does_not() -> None:
    door = PACKAGE / "__init__.py"  # of a notebook: hands on to the notebook's own
    for path in JUDGING:
        if path.suffix == ".py" and path != door:
            for name in imports(path):
                used = name.replace(".", "/")
                assert not f"{used}.py".startswith(NO_JUDGES), (path, name)
                assert not f"{used}/".startswith(NO_JUDGES), (path, name)


def imports(path: Path) -> set[str]:
    """The names inside the grader that a file of it imports."""
    package = path.relative_to(ROOT).parent.parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            stem = ".".join([*base, *filter(None, [node.module])])
            found |= {stem, *(f"{stem}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name.removeprefix("grader.") for name in found if name.startswith("grader.")}


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The grader and the solutions, to be changed."""
    folder = tmp_path_factory.mktemp("copied")
    for name in ("grader", "solutions"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    return folder / "grader"


@pytest.mark.parametrize(
    "name",
    [
        "course/misconceptions/02_embeddings.toml",
        "course/misconceptions/common.toml",
        "course/misconceptions/few_tensors.py",
        "course/checks/check_softmax.py",
        "course/syllabus.toml",
        "worker/warmup.py",
        "cohort/known_marks.py",
        "../solutions/embeddings.py",
        "wall/a_new_file.py",
    ],
)
def test_an_edit_of_what_judges_changes_the_digest(copied: Path, name: str) -> None:
    before = judging_digest(copied)
    assert before == judging_digest(PACKAGE), "it depends on the content, not on the place"
    path = copied / name
    content = path.read_bytes() if path.exists() else None
    path.write_bytes((content or b"") + b"\n")
    assert judging_digest(copied) != before
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)


@pytest.mark.parametrize(
    "name",
    ["report/class_report.py", "report/exports/canvas.py", "cli/grading.py", "course/hints.toml"],
)
def test_what_shows_or_hands_out_marks_changes_nothing(copied: Path, name: str) -> None:
    before = judging_digest(copied)
    (copied / name).write_bytes(b"")
    assert judging_digest(copied) == before


def test_the_digest_knows_of_all_that_code_behind_the_wall_can_import() -> None:
    """Of the distributions that ship a module or package, those alone whose files it sees."""
    seen = {name.partition(".")[0] for folder in installed() for name in folder.shown}
    modules = importlib.metadata.packages_distributions()
    assert set(shown()) >= {each for name in seen & modules.keys() for each in modules[name]}
    assert "transformer-course" not in shown()


@pytest.mark.parametrize("package", ["torch", "pytest", *sorted(shown())[:3]])
def test_another_version_changes_the_digest(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, version = judging_digest(), importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: version(name) + "+other" * (name == package)
    )
    assert judging_digest() != before
