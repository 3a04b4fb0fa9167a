"""Makes classes of any size from correct, wrong and hostile submissions; a seed fixes them."""

from __future__ import annotations

import ast
import random
from functools import cache
from pathlib import Path

import nbformat

from grader.curriculum.syllabus import syllabus
from tests.corpus import Case, cases

# What a whole sheet asks for: exercises of each kind, from words to a classifier.
EXERCISES = (
    *("wordpiece_tokenize", "pad_batch", "sinusoidal_encoding", "attention_scores", "softmax"),
    *("masked_softmax", "scaled_dot_product_attention", "FeedForward", "LayerNorm"),
    *("AttentionHead", "MultiHeadAttention", "Embeddings", "TransformerEncoderLayer"),
    *("TransformerEncoder", "TransformerForSequenceClassification"),
)
_RIGHT, _WRONG = 2, 5  # cases of each exercise: in a real class, too, many hand in the same
# What a hostile learner hands in; each ends at once, so that figures are not those of a timeout.
HOSTILE = (
    "import os\ndef softmax(x, dim):\n    os._exit(0)",
    "import ctypes\ndef softmax(x, dim):\n    ctypes.string_at(0)",
    "class Yes:\n    def __eq__(self, other): return True\ndef softmax(x, dim):\n    return Yes()",
    "import sys\ndef softmax(x, dim):\n    sys.exit(0)",
    "import os\ndef softmax(x, dim):\n    return [os.write(fd, b'passed') for fd in range(3, 64)]",
)


@cache
def sources(exercise: str, right: bool) -> tuple[str, ...]:
    """A few right or wrong answers that define nothing of other exercises."""
    found = [each for each in cases() if (each.exercise, each.right) == (exercise, right)]
    alone = [each.source for each in found if _stands_alone(each)]
    return tuple(alone[: _RIGHT if right else _WRONG])


def _stands_alone(case: Case) -> bool:
    defined = {getattr(node, "name", "") for node in ast.parse(case.source).body}
    return defined & set(syllabus().names) == {case.exercise}


def make_class(
    folder: Path,
    size: int,
    *,
    right: float = 0.6,
    hostile: bool = True,
    exercises: tuple[str, ...] = EXERCISES,
    distinct: bool = False,
    seed: int = 0,
) -> Path:
    """`size` notebooks; a share `right` of answers is correct, every tenth learner hostile.

    There are but a few cases of each exercise, so many learners hand in the same; with `distinct`
    no two do, as each of their functions says something of its own that has no effect.
    """
    folder.mkdir(parents=True)
    draw = random.Random(seed)
    for number in range(size):
        notebook = nbformat.v4.new_notebook()
        for exercise in exercises:
            source = draw.choice(sources(exercise, draw.random() < right))
            if distinct:
                source = _distinguished(source, number)
            notebook.cells.append(nbformat.v4.new_code_cell(source, id=f"cell-{exercise[:30]}"))
        if hostile and number % 10 == 9:
            notebook.cells.append(nbformat.v4.new_code_cell(draw.choice(HOSTILE), id="last"))
        nbformat.write(notebook, folder / f"learner_{number:05d}.ipynb")
    return folder


def _distinguished(source: str, number: int) -> str:
    """The same code, with a statement in every function that no other learner has."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            has_docstring = ast.get_docstring(node) is not None
            node.body.insert(int(has_docstring), ast.parse(f"_ = {number}").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))
