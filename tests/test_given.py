"""Code that was taken out of its notebook has what the notebook gave, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.candidate.records import Verdict
from grader.curriculum.given import with_given
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission
from grader.wall.zygote_client import Zygote
from tests.submitted import write_notebook

SOFTMAX = """def softmax(x: Tensor, dim: int) -> Tensor:
    return torch.exp(x - torch.logsumexp(x, dim, keepdim=True))
"""
SCORES = """def attention_scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
"""
WORDS = """def split_words(text):
    parts = SPECIAL_PATTERN.split(text)
    words = []
    for part in parts:
        if part in SPECIAL_TOKENS:
            words.append(part)
            continue
        clean = "".join(c for c in part if not is_control(c))
        plain = unicodedata.normalize("NFD", "".join(c.lower() for c in clean))
        kept = (c for c in plain if unicodedata.category(c) != "Mn")
        words += "".join(f" {c} " if is_punctuation(c) or is_cjk(c) else c for c in kept).split()
    return words
"""
# What is handed in for an exercise, and its verdict.
HANDED_IN = {
    "imports": ("softmax", SOFTMAX, Verdict.PASSED),
    "helpers and constants, with what they need": ("split_words", WORDS, Verdict.PASSED),
    "beside imports of one's own": ("softmax", f"import torch\n{SOFTMAX}", Verdict.PASSED),
    "another name": ("softmax", SOFTMAX.replace("torch", "tf"), Verdict.ERROR),
    "what its chapter lacks": ("softmax", SOFTMAX.replace("torch.exp", "F.relu"), Verdict.ERROR),
    "a variable": ("attention_scores", f"{SCORES} * scores", Verdict.ERROR),
    "one's own, which is wrong": (
        "attention_scores",
        f"{SCORES}\nclass math:\n    sqrt = staticmethod(lambda x: x)\n",
        Verdict.FAILED,
    ),
    "one's own, by a star": (
        "attention_scores",
        f"from numpy import *\n{SCORES.replace('math.sqrt', 'sqrt')}",
        Verdict.PASSED,
    ),
}


@pytest.fixture(scope="module")
def examiner(zygote: Zygote) -> Iterator[Examiner]:
    with Examiner(source=zygote.clone()) as made:
        yield made


def verdict(examiner: Examiner, path: Path, exercise: str) -> Verdict:
    submission = with_given(load_submission(path, syllabus().names))
    (mark,) = examiner.mark(submission, [exercise]).marks
    return mark.verdict


@pytest.mark.isolation
@pytest.mark.parametrize("case", HANDED_IN)
def test_a_function_by_itself_has_what_its_notebook_gave(
    examiner: Examiner, tmp_path: Path, case: str
) -> None:
    exercise, code, expected = HANDED_IN[case]
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    assert verdict(examiner, tmp_path / "mine.py", exercise) is expected


@pytest.mark.isolation
def test_a_notebook_whose_imports_are_gone_is_as_good(examiner: Examiner, tmp_path: Path) -> None:
    path = write_notebook(tmp_path / "04.ipynb", "# mine", SOFTMAX)
    assert verdict(examiner, path, "softmax") is Verdict.PASSED


def test_what_lacks_nothing_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"import torch\nfrom torch import Tensor\n{SOFTMAX}")
    submission = load_submission(tmp_path / "mine.py", syllabus().names)
    assert with_given(submission) is submission


def test_lines_and_cells_keep_their_numbers(tmp_path: Path) -> None:
    path = write_notebook(tmp_path / "04.ipynb", "# mine", SOFTMAX)
    submission = with_given(load_submission(path, syllabus().names))
    cut = submission.slice("softmax")
    assert cut is not None
    assert [(unit.label, unit.line) for unit in cut.units][-1] == ("04.ipynb, cell 2", 1)
