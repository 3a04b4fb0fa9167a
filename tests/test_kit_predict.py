"""A guess is kept beside what came out, may be changed until then, and waits for nobody's error."""

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
QUESTION = "How <large>?"


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The kit of a learner whose folder holds one notebook."""
    monkeypatch.syspath_prepend(str(NOTEBOOKS))
    from kit import guess_judge, predict

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(predict, "_here", {})
    monkeypatch.setattr(predict, "_asked", {})
    (tmp_path / "03_attention_scores.ipynb").write_text("{}")
    return SimpleNamespace(predict=predict.predict, judge=guess_judge, kernel=predict)


def run(folder: Path, *cells: str, saved: tuple[str, ...] = ()) -> list[NotebookNode]:
    """Cells in a notebook's kernel, beside a kit; `saved` is what its file holds."""
    notebook = new_notebook(cells=[new_code_cell(each) for each in saved or cells])
    (folder / "kit").symlink_to(NOTEBOOKS / "kit")
    nbformat.write(notebook, folder / "03_attention_scores.ipynb")
    notebook = new_notebook(cells=[new_code_cell(each) for each in cells])
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, kernel_name="python3", resources=resources).execute()
    return list(notebook.cells)


def html(cell: NotebookNode) -> str:
    return "".join(each.get("data", {}).get("text/html", "") for each in cell.outputs)


@pytest.mark.parametrize(
    ("choices", "guess", "measured", "told"),
    [
        ([1, 28, 768, 589824], 28, "771", "You: 28 ✗. Measured: 771. Nearest: 768 ✓"),
        ([1, 28, 768, 589824], 768, "771", "You: 768 ✓. Measured: 771"),
        ([3, 9], 3, "9.0", "You: 3 ✗. Measured: 9.0"),
        (["x[0]", "x[1]"], "x[0]", "x[1]", "You: x[0] ✗. Measured: x[1]"),
        (["same", "twice"], "twice", "twice, by 2.0", "You: twice ✓. Measured: twice, by 2.0"),
        (["same", "twice"], "twice", "2.0", "You: twice. Measured: 2.0"),
        ([], "0.5", "0.51", "You: 0.5 ✓ near. Measured: 0.51"),
        ([], "22", "31%", "You: 22 ✓ near. Measured: 31%"),
        ([], "2", "31%", "You: 2 ✗. Measured: 31%"),
        ([], 0, 0, "You: 0 ✓. Measured: 0"),
        ([], "2/5", "0.4, the mean", "You: 2/5 ✓. Measured: 0.4, the mean"),
        ([], "0,4", "0.4", "You: 0,4 ✓. Measured: 0.4"),
        ([], ".4", "0.4", "You: .4 ✓. Measured: 0.4"),
        ([], "−0,4", "-.4", "You: −0,4 ✓. Measured: -.4"),
        ([], "1,769,472", "1769472", "You: 1,769,472 ✓. Measured: 1769472"),
        ([], "12,5", "12.5 %", "You: 12,5 ✓. Measured: 12.5 %"),
        ([], "2,000", "2", "You: 2,000 ✗. Measured: 2"),
        ([], "1/0", "2", "You: 1/0 ✗. Measured: 2"),
        ([], "6", "6, from 3 rows", "You: 6 ✓. Measured: 6, from 3 rows"),
        ([], "an owl", "a banana", "You: an owl. Measured: a banana"),
    ],
)
def test_the_guess_stands_beside_what_came_out(
    kit: Any, capsys: Any, choices: list[object], guess: object, measured: object, told: str
) -> None:
    kit.predict(QUESTION, choices, guess=guess).beside(measured)
    assert capsys.readouterr().out == f"{QUESTION}\n{told}\n"


@pytest.mark.parametrize(
    ("choices", "measured", "right"),
    [
        (["0", "about 0.1", "about 1"], "0.0000", "0"),
        (["1", "2"], "1.5", ""),  # a tie names none
        (["verb", "verb phrase"], "verb phrase", "verb phrase"),
        (["time", "timely"], "timely", "timely"),
        (["1", "10"], "1.9", "1"),
        (["a", "b"], "nothing of the kind", ""),
        ([], "7", ""),
    ],
)
def test_the_right_choice_is_read_from_what_was_measured(
    kit: Any, choices: list[str], measured: str, right: str
) -> None:
    assert kit.judge.right_choice(choices, measured) == right


def test_an_author_says_which_choice_is_right_where_nothing_else_does(
    kit: Any, capsys: Any
) -> None:
    kit.predict(QUESTION, ["same", "twice"], guess="same").beside("2.0", right="twice")
    assert capsys.readouterr().out.endswith("You: same ✗. Measured: 2.0. Nearest: twice ✓\n")


def test_it_may_be_changed_until_its_answer_is_out_and_is_kept(kit: Any, tmp_path: Path) -> None:
    asked = kit.predict(QUESTION, [1, 2])
    asked.commit("1", "small is likely")
    asked.commit("2", 'it "doubles" \\ x')
    asked.beside("2")
    asked.commit("1")
    kit.kernel._here.clear()  # as in a kernel that has just started
    again = kit.predict(QUESTION, [1, 2], guess=1)
    assert again.state == asked.state
    (kept,) = tomllib.loads((tmp_path / "progress.toml").read_text())["guess"]
    assert kept == {
        "question": QUESTION,
        "guess": "2",
        "why": 'it "doubles" \\ x',
        "measured": "2",
        "right": "2",
        "outcome": "right",
    }


def test_a_check_leaves_guesses_where_they_are(kit: Any, tmp_path: Path) -> None:
    from grader.candidate.records import Mark, Verdict
    from grader.notebook.progress_file import recall, recall_guesses, remember

    kit.predict(QUESTION, guess=2)
    remember(tmp_path, Mark("softmax", "04_softmax", Verdict.PASSED, 3, 3))
    assert [*recall(tmp_path)] == ["softmax"] and [*recall_guesses(tmp_path)] == [QUESTION]


def test_without_a_page_the_question_is_text_that_says_what_to_do(kit: Any) -> None:
    lines = str(kit.predict("How large?", ["same", "double"])).splitlines()
    assert lines[:3] == ["How large?", "  · same", "  · double"] and "guess=" in lines[3]


def test_in_a_notebook_it_is_html_that_needs_no_widget(tmp_path: Path) -> None:
    start = "from kit.predict import predict"
    ask = f"it = predict({QUESTION!r}, ['same', 'twice'])\nit.commit('same', 'why <not>')"
    asked, answered = run(tmp_path, f"{start}\n{ask}", "it.beside('2.0', right='twice')")
    for cell in (asked, answered):
        assert {kind for each in cell.outputs for kind in each.data} == {"text/html", "text/plain"}
    assert "How &lt;large&gt;?" in html(asked) and "this guess stays" in html(asked)
    assert "You: <b>same</b> (why &lt;not&gt;)" in html(answered)
    assert "Nearest: <b>twice</b>" in html(answered)


def test_unanswered_the_answer_waits_and_a_later_guess_shows_it(tmp_path: Path) -> None:
    start = "from kit.predict import predict\nit = predict('Q', [1, 2])"
    (waits,) = run(tmp_path, start, "print(it.beside(2))")[1:]
    assert "Answer first" in html(waits) and "Measured: <b>2</b>" in html(waits)  # folded
    (tmp_path / "kit").unlink()
    shown, _ = run(tmp_path, start, "it.beside(2)", "it.commit('1')")[1:]
    assert "Answer first" not in html(shown) and "You: <b>1</b>" in html(shown)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("it = predict('Q', [1, 2])", "it.beside(2)"),
        ("them = {n: predict(f'Q{n}') for n in (1, 2)}", "for it in them.values(): it.beside(2)"),
    ],
)
def test_a_question_that_was_passed_over_is_asked_where_its_answer_waits(
    tmp_path: Path, question: str, answer: str
) -> None:
    start, answer = "from kit.predict import predict", f"{answer}\nafter = 1"
    cells = run(tmp_path, start, answer, "print(after)", saved=(start, question, answer))
    assert 'class="guess"' in html(cells[1]) and "Answer first" in html(cells[1])
    assert cells[2].outputs[0].text == "1\n"


def test_other_missing_names_are_errors_as_ever(tmp_path: Path) -> None:
    with pytest.raises(CellExecutionError, match="nowhere"):
        run(tmp_path, "from kit.predict import predict", "nowhere.beside(2)")
