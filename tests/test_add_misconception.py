"""A wrong answer becomes an entry: by the edit that makes it, or whole; what is known is named."""

from __future__ import annotations

import ast
import json
import tomllib
from pathlib import Path

import pytest

from grader.cli.tree_difference import edits_between
from tests.bundles import copy_of_package
from tests.forks import COMMAND, forks

ROOT = Path(__file__).parents[1]
# One command after the other, each of which ends well.
EACH = """
import json, sys
from grader.cli import main
for line in json.loads(sys.argv[1]):
    sys.argv = ["grader", *line]
    try:
        main()
    except SystemExit as end:
        assert not end.code
"""
RIGHT = """
def weights(x, dim):
    '''One sentence.'''
    shifted = x - x.amax(dim)
    exponentials = shifted.exp()
    return exponentials / exponentials.sum(dim)
"""


def difference(wrong: str) -> dict[str, str] | None:
    return edits_between(ast.parse(RIGHT).body[0], ast.parse(wrong).body[0])


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("x.amax(dim)", "x.max()", {"x.amax(dim)": "x.max()"}),
        ("shifted.exp()", "shifted.exp() * 2", {"shifted.exp()": "shifted.exp() * 2"}),
        (".sum(dim)", ".sum()", {"exponentials.sum(dim)": "exponentials.sum()"}),
        ("    exponentials = shifted.exp()\n", "", {"exponentials = shifted.exp()": ""}),
        (
            "    return",
            "    x = 0\n    return",
            {
                "return exponentials / exponentials.sum(dim)": (
                    "x = 0\nreturn exponentials / exponentials.sum(dim)"
                )
            },
        ),
    ],
)
def test_the_edit_says_what_differs_and_enough_of_it(
    old: str, new: str, expected: dict[str, str]
) -> None:
    assert difference(RIGHT.replace(old, new)) == expected


def test_other_names_and_docstrings_are_no_difference() -> None:
    other = RIGHT.replace("x", "values").replace("shifted", "moved").replace("One", "Another")
    assert difference(other.replace("evaluesp", "exp").replace("amavalues", "amax")) is None
    assert difference(RIGHT) is None


@pytest.mark.isolation
@pytest.mark.slow
def test_a_wrong_answer_becomes_an_entry(tmp_path: Path) -> None:
    for name in ("grader", "solutions"):
        copy_of_package(name, tmp_path)
    folder = tmp_path / "grader" / "course" / "misconceptions"
    (tmp_path / "Müller, Jörg - power.py").write_text(
        "def softmax(values, axis):\n"
        "    moved = values - values.amax(axis, keepdim=True)\n"
        "    e = moved.exp() ** 1.5\n"
        "    return e / e.sum(axis, keepdim=True)\n"
    )
    (tmp_path / "other.py").write_text(
        "def softmax(x, dim):\n"
        "    out = x.sigmoid() + x.tanh() ** 2\n"
        "    return out / out.sum(dim, keepdim=True)\n"
    )

    right = (ROOT / "solutions" / "feed_forward.py").read_text("utf-8")
    wrong = right.replace("gelu(self.expand(x))", "gelu(self.expand(x)) * 0.7")
    (tmp_path / "weaker.py").write_text(wrong, encoding="utf-8")
    words = ("--behaviour", "The weights are too sharp.", "--question", "How sharp are they?")
    power = ("misconceptions", "add", "softmax", "Müller, Jörg - power.py", *words)
    weaker = ("misconceptions", "add", "FeedForward", "weaker.py", *words)
    other = ("misconceptions", "add", "softmax", "other.py")
    with forks(tmp_path) as python:  # each has read nothing of the course yet
        done = python.run(EACH, json.dumps([power, (*weaker, "--name", "weaker than-that")]))
        assert done.returncode == 0, done.stderr
        table = tomllib.loads((folder / "06_feed_forward.toml").read_text("utf-8"))["FeedForward"]
        instead = {"gelu(self.expand(x))": "gelu(self.expand(x)) * 0.7"}
        assert table["weaker_than_that"]["instead"] == instead

        done = python.run(EACH, json.dumps([weaker, other]))
        assert done.returncode == 0, done.stderr
        assert "known as weaker_than_that: The weights are too sharp." in done.stdout
        assert "Fill in behaviour and question" in done.stdout
        whole = (folder / "bodies" / "softmax_seen.py").read_text()
        assert whole == (tmp_path / "other.py").read_text()
        table = tomllib.loads((folder / "04_softmax.toml").read_text("utf-8"))["softmax"]
        instead = {"shifted.exp()": "shifted.exp() ** 1.5"}
        assert table["the_weights_are_too_sharp"]["instead"] == instead
        assert table["seen"]["instead"] == "softmax_seen.py"
        files = [each for each in folder.rglob("*softmax*") if each.suffix in (".py", ".toml")]
        written = "".join(each.name + each.read_text("utf-8") for each in files)
        assert "ller_" not in written and "Jörg" not in written

        refused = python.run(COMMAND, "misconceptions", "softmax")
    assert refused.returncode == 2
    assert "04_softmax.toml: softmax.seen: behaviour: the text is empty" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("softmax",), "give an exercise and a file"),
        (("spot_softmax", __file__), "are no edits of its solution"),
        (("softmacs", __file__), "no exercise is called 'softmacs'"),
    ],
)
def test_what_cannot_be_added_is_said(arguments: tuple[str, ...], message: str) -> None:
    from typer.testing import CliRunner

    from grader.cli import app

    done = CliRunner().invoke(app, ["misconceptions", "add", *arguments])
    assert done.exit_code == 2 and message in done.output
