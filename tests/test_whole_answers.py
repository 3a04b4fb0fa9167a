"""Points by hand are for all the code that counted when they were set, shown or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort import Way
from grader.gradebook.store import Gradebook

LONG = "".join(f"    # thought {number}\n" for number in range(650))
SHARES = "    e = {}\n    return e / e.sum(dim, keepdim=True)\n"
WRONG = "def softmax(x, dim):\n" + SHARES.format("(x - x.max()).exp()")
HELPED = (
    "import torch\ndef shares(x, dim):\n"
    + SHARES.format("{}")
    + "def softmax(x, dim):\n    return shares(x, dim)\n"
)
OTHER = WRONG.replace("x.max()", "x.amax()")
COUNTS = WRONG.replace("(x -", "(0 * len({}) + x -")
READS = "import inspect\n" + COUNTS.format("inspect.getsource(softmax)")
LOOKS = (
    "import torch\ndef softmax(x, dim):\n    f = globals().get('power', torch.exp)\n"
    + SHARES.format("f(x - x.amax(dim, keepdim=True))")
)
HEADS = "class AttentionHead:\n    def __init__(self, *_):\n        self.f = softmax\n"
# By name: the exercise, and what is handed in first and then; whether it is the same answer.
HANDED_IN: dict[str, tuple[str, str, str, bool]] = {
    "far below": (
        "softmax",
        "def softmax(x, dim):\n" + LONG + SHARES.format("(x - x.max()).exp()"),
        "def softmax(x, dim):\n" + LONG + SHARES.format("(x - x.amax()).exp()"),
        False,
    ),
    "an import": (
        "softmax",
        "from torch import exp as f\ndef softmax(x, dim):\n    return f(x)\n",
        "from torch import relu as f\ndef softmax(x, dim):\n    return f(x)\n",
        False,
    ),
    "a helper": ("softmax", HELPED.format("x.exp()"), HELPED.format("torch.exp(x)"), False),
    "an earlier exercise": ("AttentionHead", WRONG + HEADS, OTHER + HEADS, False),
    "what runs beside": (
        "softmax",
        f"f = max\n{WRONG}globals()['softmax'] = f\n",
        f"f = min\n{WRONG}globals()['softmax'] = f\n",
        False,
    ),
    "what it asks for beside": (
        "softmax",
        f"{LOOKS}power = torch.tan\n",
        f"{LOOKS}power = torch.exp\n",
        False,
    ),
    "its own text": ("softmax", READS, READS.replace("    e =", "    # !\n    e ="), False),
    "blanks in a text": (
        "softmax",
        COUNTS.format("'''a \n'''"),
        COUNTS.format("'''a\n'''"),
        False,
    ),
    "what cannot be read": (
        "softmax",
        "def softmax(x, dim:\n",
        "def softmax(x, dim):\n    return (\n",
        False,
    ),
    "nothing, and a near name": (
        "softmax",
        "def softmaxx(x, dim):\n    return x\n",
        "def softmaxx(x, dim):\n    return -x\n",
        False,
    ),
    "nothing": ("masked_softmax", WRONG, OTHER, True),
    "another exercise": ("softmax", WRONG, WRONG + "def gelu(x):\n    return x\n", True),
    "comments and blanks": (
        "softmax",
        WRONG,
        "\n\n# Mine.\n" + WRONG.replace("    e =", "\n    # now\n    e ="),
        True,
    ),
}


def call(*arguments: object, way: Way | None = None) -> str:
    done = CliRunner(env={"COLUMNS": "300"}).invoke(app, [*map(str, arguments)], obj=way)
    assert done.exit_code == 0, done.output
    return done.output


def points(book: Path) -> dict[str, float]:
    """Of each case, what its exercise has."""
    with Gradebook.open(book) as opened:
        return {
            case: mark.points
            for case, (exercise, *_) in HANDED_IN.items()
            for mark in (entry.mark for entry in opened.entries(case))
            if mark.name == exercise
        }


@pytest.fixture(scope="module")
def three_times(here: Way, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, float]]:
    """What each case has once points are set by hand, with what is handed in then, and as before.

    Each is a learner of one class.
    """
    path = tmp_path_factory.mktemp("three_times")
    book, folder = path / "out", path / "class"
    folder.mkdir()

    def grade(which: int) -> dict[str, float]:
        for case, handed_in in HANDED_IN.items():
            (folder / f"{case}.py").write_text(str(handed_in[which]), encoding="utf-8")
        call("grade", folder, "--out", book, way=here)
        return points(book)

    grade(1)
    for case, (exercise, *_) in HANDED_IN.items():
        call("override", book, case, exercise, "1.5", "--reason", "r", "--who", "Dr B")
    return [points(book), grade(2), grade(1)]


@pytest.mark.isolation
@pytest.mark.parametrize("case", HANDED_IN)
def test_points_wait_where_any_of_the_code_that_counts_is_another(
    case: str, three_times: list[dict[str, float]]
) -> None:
    set_by_hand, then, again = (points[case] for points in three_times)
    assert set_by_hand == again == 1.5, "the first answer counts again"
    assert (then == 1.5) is HANDED_IN[case][-1]


@pytest.mark.isolation
def test_answers_that_begin_alike_are_not_the_same_answer(here: Way, tmp_path: Path) -> None:
    book, folder = tmp_path / "out", tmp_path / "class"
    folder.mkdir()
    long = WRONG.replace("    e =", LONG + "    e =", 1)
    for name, text in {
        "ann": long,
        "bob": long.replace("x.max()", "x.amax()"),
        "cem": long.replace("thought 3", "idea 3"),
    }.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    call("grade", folder, "--out", book, way=here)
    given = ("softmax", "1.5", "--reason", "r", "--who", "Dr B", "--alike")
    assert "ann and 1 other with the same answer" in call("override", book, "ann", *given)
