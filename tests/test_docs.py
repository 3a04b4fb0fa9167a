"""Holds the documentation to what is there: paths, commands, targets, flags, quotes, the table."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from grader.candidate.records import Verdict
from grader.cli import app
from grader.report.exports import FORMS
from scripts.mutation_table import BEGIN, END, with_table

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"),
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / "tests" / "corpus" / "README.md", ROOT / "tests" / "attacks" / "README.md"),
]
INSTRUCTORS = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
COMMANDS = typer.main.get_command(app)
NO_FILE = (
    *("build/", ".venv/", "marks/", "my-course/"),  # what make and readers of these pages make
    "grader/marks/v1",  # the name of a schema
    "grader/course/misconceptions/perplexity.py",  # an example's
)
PATH = re.compile(r"\.?[\w-]+(/[\w.-]+)*/?")
ROW = re.compile(r"^\| (.+) \| (.+) \| \[(\d\d)\]\((.+)\) §(\d+) \| (.+) \|$", re.MULTILINE)


@pytest.fixture(params=PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def page(request: pytest.FixtureRequest) -> Path:
    return request.param


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def code_of(page: Path) -> Iterator[str]:
    """Inline code, and each line of indented and fenced blocks."""
    text = text_of(page)
    for block in re.findall(r"^ *```.*?\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE):
        yield from (line.strip() for line in block.splitlines())
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    for line in text.splitlines():
        if line.startswith("    ") and not line.lstrip().startswith(("-", "|")):
            yield line.strip()
    yield from (" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text))


def words_of(code: str) -> list[str]:
    try:
        return shlex.split(code, comments=True)
    except ValueError:  # prose with an apostrophe
        return []


def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", text_of(page)):
        if "://" not in target:
            assert (page.parent / target.partition("#")[0]).exists(), target


def test_paths_exist(page: Path) -> None:
    tops = {path.name for path in ROOT.iterdir()}
    for word in (word for code in code_of(page) for word in words_of(code)):
        known = word.partition("/")[0] in tops and PATH.fullmatch(word)
        if known and not word.startswith(NO_FILE):
            assert (ROOT / word).exists(), word


def test_make_targets_exist(page: Path) -> None:
    for words in map(words_of, code_of(page)):
        if "make" in words and "apt-get" not in words:
            after = words[words.index("make") + 1 :]
            assert not after or after[0] in TARGETS, " ".join(words)


def test_modules_that_are_run_exist(page: Path) -> None:
    for code in code_of(page):
        for name in re.findall(r"python3? -m ([\w.]+)", code):
            assert importlib.util.find_spec(name), code


def test_grader_commands_exist(page: Path) -> None:
    every = (COMMANDS, *COMMANDS.commands.values())
    flags = {flag for command in every for flag in options(command)}
    for words in map(words_of, code_of(page)):
        if words[1:2] == ["--course"]:  # of all commands
            words = [words[0], *words[3:]]
        if words and words[0] == "grader" and len(words) > 1:
            command = COMMANDS.commands[words[1]]
            given = [word for word in words[2:] if word.startswith("--")]
            assert set(given) <= options(command), " ".join(words)
            if words[1] == "export" and len(words) > 2:
                assert words[2] in FORMS, " ".join(words)
        elif len(words) == 1 and words[0].startswith("--"):
            assert words[0] in flags, words[0]


def options(command: Any) -> set[str]:
    return {flag for parameter in command.params for flag in parameter.opts}


def test_the_table_of_flags_is_complete() -> None:
    documented = dict(re.findall(r"^\| `(--[\w-]+)` \| .+ \| (.+) \|$", INSTRUCTORS, re.MULTILINE))
    grade = COMMANDS.commands["grade"]
    assert set(documented) == {flag for flag in options(grade) if flag.startswith("--")}
    for parameter in grade.params:
        if isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool):
            assert float(documented[parameter.opts[0]]) == parameter.default, parameter.name


@pytest.mark.parametrize("name", ["learners.md", "marks-schema.md"])
def test_every_verdict_is_explained(name: str) -> None:
    text = text_of(ROOT / "docs" / name)
    for verdict in Verdict:
        assert re.search(rf"^\|[^|]*\b{verdict}\b", text, re.MULTILINE), verdict


def test_every_export_is_explained() -> None:
    for form in FORMS:
        assert f"grader export {form} " in INSTRUCTORS, form


def test_quoted_code_stands_where_it_is_said_to() -> None:
    quoted = re.findall(
        r"rom `([\w/.]+)`:\n\n( *)```\w+\n(.*?)^ *```",
        "\n".join(map(text_of, PAGES)),
        re.DOTALL | re.MULTILINE,
    )
    assert len(quoted) == 7
    for path, indent, code in quoted:
        code = re.sub(rf"^{indent}", "", code, flags=re.MULTILINE)
        assert code in text_of(ROOT / path), path


def test_what_is_put_right_stands_where_the_table_says() -> None:
    rows = ROW.findall(INSTRUCTORS)
    assert len(rows) >= 42  # as many as there are known slips of teaching material
    for _, _, chapter, link, section, quote in rows:
        notebook = (ROOT / "docs" / link).resolve()
        assert notebook.name.startswith(f"{chapter}_")
        assert squeezed(quote) in squeezed(section_text(notebook, section)), f"{chapter} {quote}"


def section_text(path: Path, number: str) -> str:
    """The text cells of one section of a notebook."""
    cells = json.loads(text_of(path))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    (section,) = re.findall(rf"^## {number} · .*?(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return section


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_the_table_of_mutations_has_its_place() -> None:
    printed = (
        "python -m …\n| exercise | mistakes |\n|---|---|\n| softmax | 3 |\n\n3 mistakes: 3 caught."
    )
    written = with_table(INSTRUCTORS, printed)
    assert f"{BEGIN}\n| exercise | mistakes |\n|---|---|\n| softmax | 3 |\n" in written
    assert written.count(BEGIN) == written.count(END) == 1
    assert with_table(written, printed) == written
    with pytest.raises(SystemExit):
        with_table(INSTRUCTORS, "make: *** Error 1")


def test_pictures_have_words(page: Path) -> None:
    for words in re.findall(r"!\[([^\]]*)\]", text_of(page)):
        assert len(words.split()) > 5
