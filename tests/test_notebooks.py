"""Notebooks as a learner gets them: stubs as the reference, nothing given away, small cells."""

import ast
import re
import statistics
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from grader.cli.solve import reference_text, solved_notebook
from grader.curriculum import hints
from grader.curriculum.course import course as chosen_course
from grader.curriculum.syllabus import syllabus
from grader.submission import is_stub

SOLUTIONS = chosen_course().solutions_folder

NOTEBOOKS = sorted((SOLUTIONS.parent / "notebooks").glob("*.ipynb"))
GUIDE = "00_start_here"  # explains how the course works: more text than code
UNSTORED, UNCOMPARED = "no-stored-output", "nbval-ignore-output"
FOLDED = {"outputs_hidden": True}  # shown when the learner runs the cell, and not before
MAX_LINES = 15
WORDS_PER_LINE = (4.0, 9.0)
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# What differs from machine to machine: addresses, folders.
LOCAL = re.compile(r"0x[0-9a-f]{6,}|(?<![\w.])/(?:home|root|tmp|usr|work|Users)/")

Definition = ast.FunctionDef | ast.ClassDef


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture
def notebook(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def test_there_is_one_notebook_a_chapter() -> None:
    assert [path.stem for path in NOTEBOOKS] == list(syllabus().chapters)


def test_every_exercise_is_there_once_with_a_check(path: Path, notebook: NotebookNode) -> None:
    expected = [each.name for each in syllabus().exercises if each.chapter == path.stem]
    assert [node.name for node in stubs(notebook)] == expected
    checked = [cell.source for cell in code_cells(notebook) if cell.source.startswith("check(")]
    checked = [source for source in checked if source != "check(hand)"]  # puzzles, not an exercise
    assert checked == [f"check({name})" for name in expected]


def test_exercises_and_sections_are_announced_in_order(path: Path, notebook: NotebookNode) -> None:
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    expected = [each.name for each in syllabus().exercises if each.chapter == path.stem]
    assert re.findall(r"^### Exercise.* · `(\w+)` \(", prose, re.MULTILINE) == expected
    for number in (r"^### Exercise (\d+) ·", r"^## (\d+) · "):
        found = re.findall(number, prose, re.MULTILINE)
        assert found == [str(place + 1) for place in range(len(found))]


def test_stubs_are_unsolved_and_say_what_the_reference_says(notebook: NotebookNode) -> None:
    for stub in stubs(notebook):
        assert is_stub(stub), f"{stub.name} is solved"
        assert contract(stub) == contract(parse_definition(reference_text(stub.name))), stub.name


def test_it_is_a_clean_notebook(notebook: NotebookNode) -> None:
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata == METADATA
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags", "jupyter"}, cell.id
        assert cell.metadata.get("jupyter", FOLDED) == FOLDED, cell.id
        assert set(cell.metadata.get("tags", ())) <= {UNSTORED, UNCOMPARED}, cell.id


def test_outputs_are_stored_and_hold_on_any_machine(notebook: NotebookNode) -> None:
    for cell in code_cells(notebook):
        assert bool(cell.execution_count) == bool(cell.outputs), cell.id  # as nbval has it
        tags = cell.metadata.get("tags", ())
        must_show = "print(" in unindented(cell.source) and UNSTORED not in tags
        assert bool(cell.outputs) >= must_show, f"{cell.id} shows nothing"
        assert not (cell.outputs and UNSTORED in tags), f"{cell.id} must not store outputs"
        for output in cell.outputs:
            assert output.output_type != "error", cell.id
            assert UNCOMPARED in tags or not LOCAL.search(shown(output)), cell.id
        assert not LOCAL.search(cell.source), cell.id


def test_pictures_come_with_words(notebook: NotebookNode) -> None:
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                alternative = output.metadata.get("image/png", {}).get("alt", "")
                assert len(alternative.split()) > 5, f"{cell.id}: a picture without words"


def test_cells_are_small(path: Path, notebook: NotebookNode) -> None:
    sizes = []
    for cell in code_cells(notebook):
        size = len(without_docstrings(cell.source).splitlines())
        assert size <= MAX_LINES, f"{cell.id} has {size} lines"
        sizes += [] if asked(cell.source) else [size]
        assert max(map(len, cell.source.splitlines())) <= 100, f"{cell.id} is too wide"
    if path.stem != GUIDE:
        assert 3 <= statistics.median(sizes) <= 6


def test_prose_and_code_are_in_balance(path: Path, notebook: NotebookNode) -> None:
    lines = sum(len(cell.source.split("\n")) for cell in code_cells(notebook))
    words = sum(len(prose(cell.source).split()) for cell in notebook.cells if is_text(cell))
    low, high = WORDS_PER_LINE
    assert path.stem == GUIDE or low <= words / lines <= high, f"{words} words, {lines} lines"


def test_it_teaches_in_the_agreed_form(notebook: NotebookNode) -> None:
    text = "\n".join(cell.source for cell in notebook.cells if is_text(cell))
    for what in ("After this chapter you can", "You need", "minutes", "difficulty"):
        assert what in text, f"nothing about: {what}"
    for what in ("## Recap", "**Go further.**", "What you should see"):
        assert what in text, f"nothing about: {what}"
    assert not re.findall(r"<summary>.*[`*].*</summary>", text), "shown as written, signs and all"
    tags = re.findall(r"</?(\w+)[^>]*>", re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL))
    assert {*tags} <= {"details", "summary", "em", "code"}, "a browser shows no other"


def test_hints_come_in_three_steps(path: Path, notebook: NotebookNode) -> None:
    """`hint(...)` gives the very hints that are folded into the notebook."""
    texts = "\n".join(cell.source for cell in notebook.cells if is_text(cell))
    folded = r"<details><summary>Hint (\d) of 3: .*?</summary>\n\n(.*?)\n\n</details>"
    expected = []
    for exercise in syllabus().exercises:
        if exercise.chapter == path.stem:
            steps = hints.steps(exercise.name)
            assert len(steps) == 3, f"{exercise.name}: run scripts/notebook_hints.py"
            expected += [(str(number), step) for number, step in enumerate(steps, 1)]
    assert re.findall(folded, texts, re.DOTALL) == expected, "run scripts/notebook_hints.py"


def test_no_answer_is_given_away(notebook: NotebookNode) -> None:
    shown = squeezed("\n".join(everything_shown(notebook)))
    for stub in stubs(notebook):
        steps = set(telling_steps(parse_definition(reference_text(stub.name))))
        found = [step for step in steps if squeezed(step) in shown]
        assert len(found) <= len(steps) // 4, f"{stub.name}: {found}"


def test_what_is_to_be_predicted_is_folded_away(notebook: NotebookNode) -> None:
    """Whoever guesses sees the question open, and what came out only after running the cell."""
    answering = [cell.source for cell in code_cells(notebook) if ".beside(" in cell.source]
    for cell in code_cells(notebook):
        for name in asked(cell.source):
            assert set(cell.metadata.get("tags", ())) == {UNSTORED, UNCOMPARED}, cell.id
            assert any(re.search(rf"\b{name}\b", source) for source in answering), name
    for cell in code_cells(notebook):
        if ".beside(" in cell.source:
            assert cell.metadata.get("jupyter") == FOLDED, f"{cell.id} gives its answer away"


def test_the_solved_notebook_has_no_stub(notebook: NotebookNode) -> None:
    solved = nbformat.from_dict(solved_notebook(notebook))
    for cell in code_cells(solved):
        assert "raise NotImplementedError" not in "".join(cell.source)


def stubs(notebook: NotebookNode) -> list[Definition]:
    """The definitions of exercises, in order."""
    return [
        node
        for cell in code_cells(notebook)
        for node in ast.parse(cell.source).body
        if isinstance(node, Definition) and node.name in syllabus().names
    ]


def asked(source: str) -> list[str]:
    """The names that hold what `predict(…)` returned."""
    return [
        target.id
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and "predict(" in ast.unparse(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]


def contract(node: ast.stmt) -> Any:
    """What a definition promises: name, signature and docstring; for a class, its methods too."""
    if isinstance(node, ast.FunctionDef):
        returned = ast.unparse(node.returns) if node.returns else ""
        decorators = [ast.unparse(each) for each in node.decorator_list]
        return node.name, ast.unparse(node.args), returned, decorators, ast.get_docstring(node)
    assert isinstance(node, ast.ClassDef)
    methods = [contract(each) for each in node.body if isinstance(each, ast.FunctionDef)]
    return node.name, [ast.unparse(base) for base in node.bases], ast.get_docstring(node), methods


def parse_definition(text: str) -> Definition:
    [node] = ast.parse(text).body
    assert isinstance(node, Definition)
    return node


def telling_steps(node: ast.AST) -> Iterator[str]:
    """The expressions of a solution that say more than to call something on given names."""
    for each in ast.walk(node):
        if isinstance(each, ast.Return | ast.Assign | ast.AugAssign) and each.value is not None:
            text = ast.unparse(each.value)
            if len(squeezed(text)) >= 20 and not is_plain_call(each.value):
                yield text


def is_plain_call(node: ast.expr) -> bool:
    """Such as attention_scores(query, key) or nn.Linear(embed_dim, head_dim)."""
    return isinstance(node, ast.Call) and all(
        isinstance(given, ast.Name | ast.Attribute) for given in [node.func, *node.args]
    )


def squeezed(text: str) -> str:
    """Without white space and quotes, so that a line break hides nothing."""
    return re.sub(r"[\s'\"]", "", text)


def everything_shown(notebook: NotebookNode) -> Iterator[str]:
    for cell in notebook.cells:
        yield cell.source
        for output in cell.get("outputs", ()):
            yield shown(output)


def shown(output: NotebookNode) -> str:
    """The text of an output."""
    return str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", ""))


def prose(source: str) -> str:
    """What one reads: without folded hints, tables, headings, formulas and code."""
    text = re.sub(r"(?s)<details><summary>Hint.*?</details>|\$\$.*?\$\$|```.*?```", "", source)
    return "\n".join(line for line in text.splitlines() if not line.startswith(("|", "#", "    ")))


def without_docstrings(source: str) -> str:
    """The cell without docstrings: those of stubs are as long as the contract is."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Definition) and ast.get_docstring(node) is not None:
            said = node.body[0]
            for number in range(said.lineno - 1, said.end_lineno or said.lineno):
                lines[number] = ""
    return "\n".join(line for line in lines if line.strip())


def unindented(source: str) -> str:
    """The statements that run when the cell runs, without the bodies of definitions."""
    body = [node for node in ast.parse(source).body if not isinstance(node, Definition)]
    return textwrap.dedent("\n".join(ast.unparse(node) for node in body))


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def is_text(cell: NotebookNode) -> bool:
    return cell.cell_type == "markdown"
