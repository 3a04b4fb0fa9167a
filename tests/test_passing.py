"""What a pass earns: a reason for each exercise, right ways that are there, a link to the next."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.candidate.records import Verdict
from grader.curriculum import other_ways
from grader.curriculum.hints import reason
from grader.curriculum.other_ways import right_ways, without_docstrings
from grader.curriculum.syllabus import syllabus
from grader.notebook.api import overview
from grader.notebook.passing import Earned, WholeChapter
from grader.notebook.progress_file import recall, remember
from grader.notebook.this_notebook import heading, link_to
from tests.marked import mark

ROOT = Path(__file__).resolve().parent.parent
NAMED = tomllib.loads((ROOT / "grader" / "course" / "other_ways.toml").read_text("utf-8"))


def test_each_exercise_says_in_one_sentence_why_it_matters() -> None:
    for name in syllabus().names:
        said = reason(name)
        assert said.endswith((".", "?")) and said.count(".") <= 1 and len(said) < 125, name
    assert reason("nothing") == ""


@pytest.mark.parametrize("name", NAMED)
def test_other_ways_are_of_the_corpus_and_short(name: str) -> None:
    ways = right_ways(name)
    assert [title for title, _ in ways][:1] == ["The reference"]
    assert len(ways) == 1 + len(NAMED[name]) <= 3
    for _, code in ways:
        assert name in ast.unparse(ast.parse(code)) and len(code.splitlines()) <= 45


def test_without_solutions_or_corpus_less_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(other_ways, "_CORPUS", tmp_path)
    assert [title for title, _ in right_ways("softmax")] == ["The reference"]
    monkeypatch.setattr(other_ways, "_FILE", "none.toml")  # as in a bundle
    assert right_ways("softmax") == ()


def test_the_next_exercise_has_a_place_to_go_to() -> None:
    for exercise in syllabus().exercises:
        link = link_to(exercise, ROOT / "notebooks")
        assert link == f"{exercise.chapter}.ipynb"
        assert heading(ROOT / "notebooks" / link, exercise.name)
        assert link_to(exercise, ROOT) == ""


@given(st.lists(st.sampled_from(Verdict), max_size=8))
def test_tries_are_counted_until_it_passes(verdicts: list[Verdict]) -> None:
    import tempfile

    idle = {Verdict.NOT_STARTED, Verdict.MISSING, Verdict.BLOCKED}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "04_softmax.ipynb").touch()
        tries, before = 0, None
        for verdict in verdicts:
            remember(Path(folder), mark(verdict=verdict))
            tries += verdict not in idle and before is not Verdict.PASSED
            before = verdict
            assert recall(Path(folder))["softmax"].tries == tries


def test_docstrings_are_left_out() -> None:
    code = 'def f(x):\n    """Says.\n\n    More.\n    """\n    return x'
    assert without_docstrings(code) == "def f(x):\n    return x"


def test_a_whole_chapter_says_what_it_took() -> None:
    whole = WholeChapter("04", "Softmax", ("softmax", "gelu"), 9.0, 7, (("03", True), ("04", True)))
    said = list(Earned(11, "It counts.", (), whole).lines())
    assert said == [
        "Passed after 11 tries. It counts.",
        "★ Chapter 04 is whole: Softmax. 2 exercises, 9 of 9 points in 7 tries. "
        "2 of 2 chapters of the course done.",
    ]


@pytest.mark.parametrize("odd", ["<<<<<<< HEAD\n", "[gelu]\n[gelu]\n", "[" * 9_000, "a = = 1"])
def test_what_nobody_can_read_is_put_aside_and_told(odd: str, tmp_path: Path) -> None:
    (tmp_path / "04_softmax.ipynb").touch()
    remember(tmp_path, mark(verdict=Verdict.PASSED))
    file = tmp_path / "progress.toml"
    held = odd + file.read_text("utf-8")
    file.write_text(held, "utf-8")
    assert "put aside" not in repr(overview(tmp_path))
    for name in ("gelu", "mean_pool"):
        remember(tmp_path, mark(name, Verdict.PASSED))
    assert recall(tmp_path).keys() == {"gelu", "mean_pool"}
    assert (tmp_path / "progress.toml.unread").read_text("utf-8") == held
    assert "progress.toml could not be read, and was put aside" in repr(overview(tmp_path))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_what_an_editor_has_saved_otherwise_is_read(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "04_softmax.ipynb").touch()
    remember(tmp_path, mark(verdict=Verdict.PASSED))
    file = tmp_path / "progress.toml"
    file.write_text("# Größe\n" + file.read_text("utf-8"), encoding)
    assert recall(tmp_path).keys() == {"softmax"}


def test_a_day_that_is_none_costs_its_own_row_alone(tmp_path: Path) -> None:
    (tmp_path / "04_softmax.ipynb").touch()
    remember(tmp_path, mark(verdict=Verdict.PASSED), mark("gelu", Verdict.PASSED))
    file = tmp_path / "progress.toml"
    first, *others = file.read_text("utf-8").split("day = ")
    file.write_text("day = ".join([f'{first}day = "some day"\n#', *others]), encoding="utf-8")
    remember(tmp_path, mark("mean_pool", Verdict.PASSED))
    assert recall(tmp_path).keys() == {"gelu", "mean_pool"}
