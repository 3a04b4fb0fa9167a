"""The checker over loopback: two learners with a bundle alone, and those who mean it no good."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import http.client
import io
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from typer.testing import CliRunner

from benchmarks.checker import of_many
from grader.cli import app
from grader.cohort.attempts import attempts_of
from grader.gradebook.roster import RosterError
from grader.notebook.in_process import check_in_kernel, mark_in_kernel
from grader.service import bodies
from grader.service.bodies import body_of
from grader.service.enrolment import read_roster
from grader.service.ledger import Ledger, LedgerError
from grader.service.refusal import Refusal
from grader.service.requests import task_of
from grader.service.turns import RateLimit, Turns
from grader.submission import find_submissions
from tests.bundles import bundle, run
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
# What a learner does in a kernel: cell after cell, in IPython's own shell.
IN_CELLS = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
for cell in json.loads({cells!r}):
    shell.run_cell(cell, store_history=True)
"""


@dataclass
class Serving:
    """A checker that answers, and what its learners have."""

    process: subprocess.Popen[str]
    folder: Path
    port: int
    tokens: dict[str, str]
    bundle: Path

    def ask(
        self, path: str, body: Any = None, token: str = "", headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Status and answer; a connection that is closed while it still sends has no answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=200)
        more = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            method = "GET" if body is None else "POST"
            connection.request(method, path, body, {**more, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (BrokenPipeError, ConnectionResetError):
            return 413, {}
        finally:
            connection.close()


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("service")
    (folder / "roster.csv").write_text("learner\nada\ngrace\nmallory\n", encoding="utf-8")
    with Ledger(folder / "kept") as store:
        assert store.fact("seed", "7") == "7"
    command = [sys.executable, "-m", "grader", "serve", str(folder / "kept"), "--port", "0"]
    command += ["--roster", str(folder / "roster.csv"), "--checks-a-minute", str(CHECKS_A_MINUTE)]
    command += ["--chapters", "00-02,04-13"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = ""
    while "Answering on" not in printed:
        line = process.stdout.readline()
        assert line, printed
        printed += line
    tokens = dict(re.findall(r"^(\w+): (\S+)$", printed, re.MULTILINE))
    (port,) = re.findall(r"http://127\.0\.0\.1:(\d+)", printed)
    course = bundle(folder / "course", checker=f"http://127.0.0.1:{port}")
    yield Serving(process, folder / "kept", int(port), tokens, course)
    process.kill()
    process.wait()
    process.stdout.close()


def in_cells(serving: Serving, learner: str, *cells: str) -> str:
    """What a learner sees who runs these cells with their bundle."""
    code = IN_CELLS.format(cells=json.dumps(cells))
    return run(serving.bundle, code, GRADER_TOKEN=serving.tokens[learner])


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
CHECKS_A_MINUTE = 20
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


def test_two_learners_and_a_killed_checker(serving: Serving, tmp_path: Path) -> None:
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
    expected = mark_in_kernel("LayerNorm", names["LayerNorm"])
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
    done = subprocess.run(
        [sys.executable, "-m", "grader", "grade", str(handed_in), "--out", str(marks)], check=False
    )
    assert done.returncode == 0
    table = command.invoke(app, ["export", "csv", str(marks)]).stdout
    rows = {row["learner"]: row for row in csv.DictReader(io.StringIO(table))}
    assert rows["grace"]["softmax"] == "2.0" and rows["ada"]["LayerNorm verdict"] == "failed"


def request_of(*parts: bytes, pause: float = 0.0, length: str | None = None) -> Request:
    """A request whose body comes in these parts, with a pause before each."""
    left = list(parts)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(pause)
        body = left.pop(0) if left else b""
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    headers = [] if length is None else [(b"content-length", length.encode())]
    return Request({"type": "http", "method": "POST", "headers": headers}, receive)


BODIES = [
    ({"length": "1000000000"}, 413),
    ({"length": "-1"}, 413),
    ({"length": "\u0661"}, 413),
    ({"length": "9" * 5000}, 413),
    ({"pause": 0.2}, 408),
]


def read(request: Request, **bounds: float) -> bytes:
    """What arrives of a body."""

    async def arriving() -> bytes:
        async with body_of(request, **bounds) as body:  # type: ignore[arg-type]
            return body.read()

    return asyncio.run(arriving())


@pytest.mark.parametrize(("how", "status"), BODIES)
def test_bodies_that_are_large_or_slow_are_cut(how: dict[str, Any], status: int) -> None:
    with pytest.raises(Refusal) as refused:
        read(request_of(b"x", b"y", **how), most=10, seconds=0.05)
    assert refused.value.status == status


def test_a_body_that_comes_too_slowly_is_cut_long_before_its_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bodies, "_GRACE", 0.05)
    large = b"x" * 10**6  # earns the time in which the rest comes
    assert read(request_of(large, b"y", pause=0.03), most=10**7) == large + b"y"
    with pytest.raises(Refusal) as refused:
        read(request_of(b"x", b"y", b"z", pause=0.03), most=10)
    assert refused.value.status == 408


@pytest.mark.parametrize("size", [1, 3_000_000])
def test_a_body_within_bounds_is_whole(size: int) -> None:
    first, last = b"x" * size, b"y" * size
    assert read(request_of(first, last), most=2 * size) == first + last
    with pytest.raises(Refusal):
        read(request_of(first, last), most=2 * size - 1)


def test_a_connection_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_TO_BEGIN", 0.05)

    async def said(listening: socket.socket) -> bytes:
        config = uvicorn.Config(Starlette(), http=bodies.Impatient, ws="none", log_level="error")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nX-Slow: ")
        answer = await asyncio.wait_for(reader.read(), 60)
        writer.close()
        server.should_exit = True
        await serving
        return answer

    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert asyncio.run(said(listening)) == b""


CELL = {"source": "", "label": "", "notebook": "", "index": 0}
NO_CHECKS: list[Any] = [
    b"",
    b"\xff",
    b"[" * 100_000,
    [],
    {"exercise": "softmax"},
    {"exercise": "softmax", "cells": {}},
    {"exercise": ["softmax"], "cells": []},
    {"exercise": "__init__", "cells": []},
    {"exercise": "softmax", "cells": [None]},
    {"exercise": "softmax", "cells": [{**CELL, "source": None}]},
    {"exercise": "softmax", "cells": [{**CELL, "index": True}]},
    {"exercise": "softmax", "cells": [CELL] * 1_001},
    {"exercise": "softmax", "cells": [{**CELL, "source": "x" * 600_000}]},
]


@pytest.mark.parametrize("sent", NO_CHECKS, ids=range(len(NO_CHECKS)))
def test_what_no_bundle_sends_is_refused(sent: Any) -> None:
    body = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    with pytest.raises(Refusal):
        task_of("ada", body)


def test_half_characters_and_huge_numbers_do_no_harm() -> None:
    cell = {**CELL, "source": "\ud800\r\n", "label": "\udcff" * 500, "index": 10**30}
    task = task_of("ada", json.dumps({"exercise": "softmax", "cells": [cell]}).encode())
    assert task.cells[0].source == "\ufffd\n" and len(task.cells[0].label) == 120
    assert task.submission().slice("softmax") is None


def test_learners_are_served_in_turn() -> None:
    async def served() -> list[str]:
        turns: Turns[int] = Turns(3)
        for learner in ("flood", "flood", "flood", "ada", "grace"):
            turns.put(learner, 0)
        with pytest.raises(Refusal):
            turns.put("flood", 0)
            turns.put("flood", 0)
        order = []
        for _ in range(5):
            learner, _ = await turns.get()
            order.append(learner)
            turns.done(learner)
        return order

    assert asyncio.run(served()) == ["flood", "ada", "grace", "flood", "flood"]


def test_no_learner_is_served_by_two_at_once() -> None:
    async def served() -> str:
        turns: Turns[int] = Turns(3)
        for learner in ("ada", "ada", "grace"):
            turns.put(learner, 0)
        first, _ = await turns.get()
        second, _ = await turns.get()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(turns.get(), 0.01)
        turns.done(first)
        third, _ = await turns.get()
        return " ".join((first, second, third))

    assert asyncio.run(served()) == "ada grace ada"


def test_an_allowance_fills_up_again() -> None:
    now = [0.0]
    allowance = RateLimit(6, clock=lambda: now[0])
    assert [allowance.take("ada") for _ in range(7)] == [0.0] * 6 + [10.0]
    assert allowance.take("grace") == 0.0
    now[0] = 10.0
    assert allowance.take("ada") == 0.0 and allowance.take("ada") == 10.0


ROSTERS = [
    ("ada\ngrace\n", ("ada", "grace")),
    ("learner,group\nada,1\n", ("ada",)),
    (
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        "    Points Possible,,,,\nLovelace,1,u1,ada,s\n",
        ("ada",),
    ),
    ("ada\nada\n", ("ada",)),
    ("", None),
    ("../etc\n", None),
    (".hidden\n", None),
    ("ada\nAda\n", None),
    ("x" * 200, None),
    ("tab\there\n", None),
    ("=1+1\n", None),
    ("ada;=1+1\n", None),
    ("+4917\n", ("+4917",)),
]


@pytest.mark.parametrize(("text", "names"), ROSTERS)
def test_rosters(text: str, names: tuple[str, ...] | None, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    if names is not None:
        assert read_roster(path) == names
    else:
        with pytest.raises(RosterError):
            read_roster(path)


def test_tokens_are_told_once_and_never_kept(tmp_path: Path) -> None:
    with Ledger(tmp_path) as store:
        tokens = store.enrol(["ada", "grace"])
        assert store.enrol(["ada", "new"]).keys() == {"new"}
        assert {name: store.owner(token) for name, token in tokens.items()} == {
            "ada": "ada",
            "grace": "grace",
        }
        with pytest.raises(LedgerError):
            store.renew("nobody")
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not any(token.encode() in files for token in tokens.values())


def test_what_is_handed_in_last_counts(tmp_path: Path) -> None:
    with Ledger(tmp_path) as store:
        store.enrol(["ada"])
        first, second = store.keep("ada", b"PK 1"), store.keep("ada", b"PK 2")
        assert store.receipts("ada") == [first, second]
        assert [each.content for each in store.hand_ins()] == [b"PK 2"]
    command = CliRunner()
    for until, names in (("", ["ada.zip"]), ("2000-01-01T00:00:00+02:00", [])):
        target = tmp_path / f"out{len(until)}"
        arguments = ["collect", str(tmp_path), str(target), "--until", until]
        assert command.invoke(app, arguments).exit_code == 0
        assert [path.name for path in target.iterdir()] == names
    every = tmp_path / "every"
    assert command.invoke(app, ["collect", str(tmp_path), str(every), "--every"]).exit_code == 0
    handed_in = attempts_of(every, find_submissions(every))
    assert [each.path.read_bytes() for each in handed_in["ada"]] == [b"PK 1", b"PK 2"]
    assert [each.time for each in handed_in["ada"]] == [first.time, second.time]
    assert command.invoke(app, [*arguments[:-1], "soon"]).exit_code == 2


_KEEPS = """
import sys
from pathlib import Path
from grader.service.ledger import Ledger
with Ledger(Path(sys.argv[1])) as store:
    store.enrol(["ada"])
    for number in range(150):
        print(store.keep("ada", b"PK %d" % number).hash, flush=True)
"""


@pytest.mark.parametrize("moment", [1, 5, 23])
def test_every_receipt_outlives_a_kill(moment: int, tmp_path: Path) -> None:
    line = [sys.executable, "-c", _KEEPS, str(tmp_path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdout is not None
        kept_before = [keeper.stdout.readline().strip() for _ in range(moment)]
        keeper.kill()
        kept_before += keeper.stdout.read().split()
    with Ledger(tmp_path) as store:
        kept = [receipt.hash for receipt in store.receipts("ada")]
        (last,) = store.hand_ins()
    assert kept[: len(kept_before)] == kept_before and len(kept) <= len(kept_before) + 1
    assert hashlib.sha256(last.content).hexdigest() == kept[-1]


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
