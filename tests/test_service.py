"""The checker over loopback: two learners with a bundle alone, and those who mean it no good."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
import signal
import socket
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from benchmarks.checker import of_many
from grader.cli import app
from grader.cohort import Way
from grader.notebook.in_process import check_in_kernel
from grader.notebook.progress_file import recall
from grader.service.ledger import Ledger
from tests.bundles import run
from tests.command import warm
from tests.serving import CHECKS_A_MINUTE, IN_CELLS, Serving, in_cells, served
from tests.submitted import write_notebook

IMPORTS = "import torch\nfrom torch import nn"
NO_MEAN = """
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(hidden_size))
        self.shift = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x):
        return self.scale * x / (x.square().mean(-1, True) + self.eps).sqrt() + self.shift
"""
SOFTMAX = """
def softmax(x, dim):
    x = (x - x.amax(dim, keepdim=True)).exp()
    return x / x.sum(dim, keepdim=True)
"""
POWERS = "def powers(x, dim):\n    return (x - x.amax(dim, keepdim=True)).exp()\n"
SOFTMAX_BY_OWN = """
def softmax(x, dim):
    x = powers(x, dim)
    return x / x.sum(dim, keepdim=True)
"""


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with served(tmp_path_factory.mktemp("service")) as found:
        yield found


CHECK = {
    "exercise": "softmax",
    "cells": [{"source": SOFTMAX, "label": "In [1]", "notebook": "n", "index": 1}],
}
CALLS = {
    "source": """
def attention_scores(query, key):
    return query @ key.mT

def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e30)
    return softmax(scores, -1) @ value
""",
    "label": "In [2]",
    "notebook": "n",
    "index": 2,
}
ZIP = b"PK\x05\x06" + bytes(18)


def too_long() -> Iterator[bytes]:
    """A body of 25 MB whose length is not told."""
    for _ in range(25):
        yield bytes(10**6)


TELLS = "def softmax(x, dim):\n    raise ValueError(f'{x.sum():.4f}')"


def test_checks_have_other_inputs_than_marks_of_the_same_seed(serving: Serving) -> None:
    cell = {**CHECK["cells"][0], "source": TELLS}
    body = json.dumps({"exercise": "softmax", "cells": [cell]})
    status, answer = serving.ask("/check", body, serving.tokens["ada"])
    names: dict[str, Any] = {}
    exec(TELLS, names)
    own = check_in_kernel("softmax", names["softmax"], seed=7, explain=False).mark.message
    said = [
        re.findall(r"ValueError: (-?[\d.]+)", each) for each in (own, answer["mark"]["message"])
    ]
    assert status == 200 and all(map(len, said)) and said[0] != said[1]


def test_a_connection_is_for_one_request(serving: Serving) -> None:
    """Else what follows an answer might take as long as it likes to begin."""
    with socket.create_connection(("127.0.0.1", serving.port), timeout=60) as line:
        line.sendall(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = b"".join(iter(lambda: line.recv(10_000), b""))
    assert answer.startswith(b"HTTP/1.1 404") and b"connection: close" in answer.lower()


def test_who_means_it_no_good_is_refused(serving: Serving) -> None:
    """In one run, as the checker starts slowly; before it is killed."""
    mallory = serving.tokens["mallory"]
    for path, body in (("/check", "{}"), ("/submit", ZIP), ("/mine", None)):
        for token in ("", "guessed", serving.tokens["ada"][:-1], "\u00e9"):
            assert serving.ask(path, body, token)[0] == 401, (path, token)
    assert serving.ask("/submit", ZIP, mallory, {"Content-Length": str(10**9)})[0] == 413
    assert serving.ask("/submit", too_long(), mallory)[0] == 413
    assert serving.ask("/submit", b"no zip", mallory)[0] == 400
    later = {**CHECK, "exercise": "fewest_heads"}
    assert serving.ask("/check", json.dumps(later), serving.tokens["grace"])[0] == 403
    # Nor is a mistake told of what is not handed out, by what calls it.
    called = {"exercise": "scaled_dot_product_attention", "cells": [*CHECK["cells"], CALLS]}
    status, answer = serving.ask("/check", json.dumps(called), serving.tokens["grace"])
    assert status == 200 and answer["mark"]["carried"] == ["attention_scores"]
    assert "has not been handed out" in answer["mark"]["message"]
    assert "attention_scores" not in answer["mark"]["message"]
    first, again = (serving.ask("/submit", ZIP, mallory) for _ in range(2))
    assert first[0] == 200 and first == again  # sent twice, kept once
    assert serving.ask("/mine", token=mallory)[1]["receipts"] == [first[1]]
    assert serving.ask("/mine", token=serving.tokens["grace"])[1]["receipts"] == []
    began = time.monotonic()
    with ThreadPoolExecutor(8) as many:
        flood = list(many.map(lambda _: serving.ask("/check", "[]", mallory), range(60)))
        status, answer = serving.ask("/check", json.dumps(CHECK), serving.tokens["grace"])
    assert {status for status, _ in flood} == {400, 429}
    allowed = CHECKS_A_MINUTE * (1 + (time.monotonic() - began) / 60)
    assert sum(status == 400 for status, _ in flood) <= allowed
    assert status == 200 and answer["mark"]["verdict"] == "passed"
    command = CliRunner()
    renewed = command.invoke(app, ["token", str(serving.folder), "mallory"]).stdout.split(": ")[1]
    assert serving.ask("/mine", token=mallory)[0] == 401
    assert serving.ask("/mine", token=renewed.strip())[0] == 200
    command.invoke(app, ["token", str(serving.folder), "mallory", "--revoke"])
    assert serving.ask("/mine", token=renewed.strip())[0] == 401


IN_A_TERMINAL = """
import sys
from grader.notebook.bundle.command import main
for command in ("check", "submit"):
    sys.argv = ["grader", command]
    try:
        main()
    except SystemExit as error:
        print("ended with", error.code)
"""


def test_in_a_terminal_all_work_of_a_bundle_is_checked_and_handed_in(
    serving: Serving, tmp_path: Path
) -> None:
    """The bundle's own kit is none: a whole course has more code than the checker takes."""
    course = tmp_path / "course"
    shutil.copytree(serving.bundle, course)
    work = course / "notebooks"
    write_notebook(work / "04_softmax.ipynb", f"{IMPORTS}\nfrom own import powers", SOFTMAX_BY_OWN)
    (work / "own.py").write_text(POWERS, encoding="utf-8")
    (work / "week2").mkdir()
    write_notebook(work / "week2" / "mine.ipynb", f"{IMPORTS}\n{NO_MEAN}")
    (work / "progress.toml").write_text("", encoding="utf-8")
    code = f"import os\nos.chdir({str(course)!r})\n{IN_A_TERMINAL}"
    printed = run(course, code, GRADER_TOKEN=serving.tokens["grace"])
    assert "softmax: passed, 2 of 2 points" in printed and "LayerNorm: failed" in printed
    assert recall(work)["softmax"].points == 2
    cells = ("from grader import check", "from own import powers", SOFTMAX_BY_OWN, "check(softmax)")
    code = IN_CELLS.format(cells=json.dumps(cells))
    assert "softmax: passed, 2 of 2" in run(course, code, GRADER_TOKEN=serving.tokens["grace"])
    files = re.findall(r"Files: (.+)", printed)[0].split(", ")
    chapters = {path.name for path in work.glob("*.ipynb")}
    assert {*files} == {*chapters, "own.py", "week2/mine.ipynb"}
    with zipfile.ZipFile(io.BytesIO(kept_last(serving, "grace"))) as archive:
        assert {*archive.namelist()} == {*files}


def kept_last(serving: Serving, learner: str) -> bytes:
    with Ledger(serving.folder) as store:
        return next(each.content for each in store.hand_ins() if each.learner == learner)


def test_two_learners_and_a_killed_checker(serving: Serving, here: Way, tmp_path: Path) -> None:
    """Check, hand in, kill -9, collect, grade, export."""
    wrong = write_notebook(tmp_path / "07_layer_norm.ipynb", IMPORTS, NO_MEAN)
    right = write_notebook(tmp_path / "04_softmax.ipynb", IMPORTS, SOFTMAX)
    door = "from grader import check, submit"
    with ThreadPoolExecutor(2) as both:
        ada, grace = both.map(
            lambda given: in_cells(serving, *given),
            [
                (
                    "ada",
                    door,
                    IMPORTS,
                    NO_MEAN,
                    "print(check(LayerNorm))",
                    "print(check(LayerNorm)._repr_html_())",
                    f"submit({str(wrong)!r})",
                ),
                ("grace", door, IMPORTS, SOFTMAX, "check(softmax)", f"submit({str(right)!r})"),
            ],
        )
    names: dict[str, Any] = {}
    exec(f"{IMPORTS}\n{NO_MEAN}", names)
    expected = check_in_kernel("LayerNorm", names["LayerNorm"]).mark
    assert expected.diagnosis and all(each.explanation in ada for each in expected.diagnosis)
    assert "<article" in ada and "The code is the same as at the last check" in ada
    assert "LayerNorm: failed" in ada and "softmax: passed, 2 of 2 points" in grace
    receipts = re.findall(r"Receipt: (\w{64})", ada + grace)
    assert len(receipts) == 2

    status, mine = serving.ask("/mine", token=serving.tokens["ada"])
    assert status == 200 and [row["hash"] for row in mine["receipts"]] == receipts[:1]

    serving.process.send_signal(signal.SIGKILL)
    serving.process.wait()
    command = CliRunner()
    handed_in, marks = tmp_path / "handed_in", tmp_path / "marks"
    assert command.invoke(app, ["collect", str(serving.folder), str(handed_in)]).exit_code == 0
    with (tmp_path / "handed_in_manifest.csv").open(encoding="utf-8") as file:
        assert {"ada", "grace"} <= {row["learner"] for row in csv.DictReader(file)}
    zips = [handed_in / f"{learner}.zip" for learner in ("ada", "grace")]
    assert [hashlib.sha256(path.read_bytes()).hexdigest() for path in zips] == receipts
    tries = (tmp_path / "handed_in_tries.csv").read_text(encoding="utf-8").splitlines()[1:]
    kept = {tuple(row.split(",")[i] for i in (0, 1, 3)) for row in tries}
    assert {("ada", "LayerNorm", "failed"), ("grace", "softmax", "passed")} <= kept
    warm(here, "grade", handed_in, "--out", marks)
    table = command.invoke(app, ["export", "csv", str(marks)]).stdout
    rows = {row["learner"]: row for row in csv.DictReader(io.StringIO(table))}
    assert rows["grace"]["softmax"] == "2.0" and rows["ada"]["LayerNorm verdict"] == "failed"


MANY: list[tuple[list[float], dict[int, int], int, str]] = [
    ([], {0: 0, 1: 0}, 2, "0 checks answered, 2 lost; a learner got 0 to 0"),
    ([2.0], {0: 1, 1: 0}, 0, "1 checks answered, 0 lost; median 2.00 s, 95 % within 2.00 s; a "),
    ([*map(float, range(100, 0, -1))], {0: 90, 1: 10}, 0, "median 50.50 s, 95 % within 96.00 s;"),
]


@pytest.mark.parametrize(("waited", "answered", "lost", "said"), MANY)
def test_the_lost_and_the_starved_are_counted(
    waited: list[float], answered: dict[int, int], lost: int, said: str
) -> None:
    assert said in of_many(waited, answered, [OSError()] * lost)
