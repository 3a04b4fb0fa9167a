"""What the checker keeps, and of whom: rosters, receipts, slow learners, a full disk."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort import setup_for
from grader.cohort.attempts import attempts_of
from grader.cohort.pool import Pool
from grader.gradebook.roster import RosterError
from grader.service import bodies, ledger
from grader.service.app import CheckerService
from grader.service.enrolment import read_roster
from grader.service.ledger import Ledger, LedgerError, TooManyHandedIn
from grader.submission import find_submissions
from tests.bundles import ROOT

ZIP = b"PK\x05\x06" + bytes(18)
NAMES = ("ada", "grace", "mallory", "trudy", "eve")


class Asked:
    """The checker without a network: what it answers to requests whose bodies come in parts."""

    def __init__(self, folder: Path) -> None:
        self._store = Ledger(folder)
        self.tokens = self._store.enrol(NAMES)
        pool = Pool(1, setup_for(0, {}, False))  # which starts with the first check
        self.app = CheckerService(self._store, [pool]).app()

    async def post(
        self, path: str, learner: str, parts: Sequence[bytes], ends: bool = True
    ) -> tuple[int, dict[str, Any]]:
        """Status and answer; a body that does not end is waited for."""
        left, sent = list(parts), list[dict[str, Any]]()

        async def receive() -> dict[str, Any]:
            if not left:
                await asyncio.Event().wait()
            part = left.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(left) or not ends}

        async def send(message: Any) -> None:
            sent.append(message)

        token = f"Bearer {self.tokens[learner]}".encode()
        scope = {"type": "http", "method": "POST", "path": path, "query_string": b""}
        scope |= {"headers": [(b"authorization", token)]}
        await self.app(scope, receive, send)
        return sent[0]["status"], json.loads(sent[1]["body"])

    def close(self) -> None:
        """Close what is kept."""
        self._store.__exit__()


@asynccontextmanager
async def slow(asked: Asked, path: str, learners: Sequence[str]) -> AsyncIterator[list[Any]]:
    """While this lasts, each of these has sent two bytes and keeps the line."""
    waiting = [
        asyncio.create_task(asked.post(path, learner, [b"PK"], ends=False)) for learner in learners
    ]
    await asyncio.sleep(0)
    yield waiting
    for each in waiting:
        each.cancel()


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(bodies, "_GRACE", bodies.SECONDS)
    opened = Asked(tmp_path)
    yield opened
    opened.close()


SLOW = [
    ("/submit", ["mallory", "trudy", "eve", "grace"] * 3, ZIP, 200),
    ("/check", ["mallory", "trudy", "eve", "grace"] * 3, b"{}", 400),
]


@pytest.mark.parametrize(("path", "learners", "body", "status"), SLOW)
def test_who_is_slow_keeps_nobody_else_waiting(
    path: str, learners: list[str], body: bytes, status: int, asked: Asked
) -> None:
    async def answered() -> bool:
        async with slow(asked, path, learners) as waiting:
            assert (await asked.post(path, "ada", [body]))[0] == status
            return any(each.done() for each in waiting)

    assert not asyncio.run(answered())


@pytest.mark.parametrize("path", ["/submit", "/check"])
def test_one_body_of_each_learner_is_on_its_way_and_few_wait(path: str, asked: Asked) -> None:
    async def answered() -> tuple[int, int]:
        async with slow(asked, path, ["mallory"] * 4) as waiting:
            more, _ = await asked.post(path, "mallory", [b"PK"])
            assert not any(each.done() for each in waiting)
        await asyncio.gather(*waiting, return_exceptions=True)
        return more, (await asked.post(path, "mallory", [ZIP]))[0]

    assert asyncio.run(answered()) == (429, 200 if path == "/submit" else 400)


def test_what_one_learner_may_keep_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "MOST_BYTES", 10)
    with Ledger(tmp_path) as store:
        store.enrol(["ada", "grace"])
        first = store.keep("ada", b"PK 123")
        with pytest.raises(TooManyHandedIn):
            store.keep("ada", b"PK 45")
        assert store.keep("ada", b"PK 123") == first  # the same takes no room
        assert store.keep("ada", b"PK 6") and store.keep("grace", b"PK 123456")
        assert [len(each.content) for each in store.hand_ins(every=True)] == [6, 4, 9]


_ON_A_FULL_DISK = """
import asyncio, json, os, sys
from pathlib import Path
from tests.test_service_kept import Asked

async def ask():
    asked, told = Asked(Path(sys.argv[1])), []
    for number in range(12):
        status, answer = await asked.post("/submit", "ada", [b"PK" + os.urandom(200_000)])
        told.append((status, answer.get("hash") or answer["error"]))
        if status == 507:
            break
    kept = [receipt.hash for receipt in asked._store.receipts("ada")]
    print(json.dumps([told, kept]))

asyncio.run(ask())
"""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap")
def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    sandbox = ["bwrap", "--dev-bind", "/", "/", "--size", "1000000", "--tmpfs", str(tmp_path)]
    done = subprocess.run(
        [*sandbox, sys.executable, "-c", _ON_A_FULL_DISK, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told, kept = json.loads(done.stdout)
    *receipts, (status, sentence) = told
    assert status == 507 and "disk is full" in sentence and "Tell your instructor" in sentence
    assert receipts and [digest for _, digest in receipts] == kept
    assert len(done.stderr.splitlines()) == 1 and "full" in done.stderr


ROSTERS = [
    ("ada\ngrace\n", ("ada", "grace")),
    ("learner,group\nada,1\n", ("ada",)),
    (
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        "    Points Possible,,,,\nLovelace,1,u1,ada,s\n",
        ("ada",),
    ),
    ("Student,ID\nVera Victim,777\nCanvas user 777,111\n", None),
    ("canvas  User_777\n", None),
    ("", None),
    ("../etc\n", None),
    (".hidden\n", None),
    ("ada\nAda\n", None),
    ("x" * 200, None),
    ("tab\there\n", None),
    ("=1+1\n", None),
    ("ada;=1+1\n", None),
    ("+4917\n", ("+4917",)),
    ("learner;group\nada;1\n", None),  # with semicolons, as a spreadsheet may write it
    ("learner\tgroup\nada\t1\n", None),
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


NAMESAKES = [
    "Student,ID,SIS User ID,Section\nVera V,777,s7,A\nBob,5,s5,A\nVera V,111,s1,A\n",
    "ada\nVera V\n\nVera V\n",
    "learner,mail\nada,a@x.org\nVera V,b@x.org\nvera  v,c@x.org\n",
]


@pytest.mark.parametrize("text", NAMESAKES)
def test_two_of_one_name_are_refused_and_nobody_is_enrolled(text: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    serve = ["serve", str(tmp_path / "kept"), "--roster", str(path), "--host", "192.0.2.1"]
    done = CliRunner().invoke(app, serve)
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line.casefold().startswith("vera")]
    assert done.exit_code == 2 and f"lines {lines[0]} and {lines[1]}: " in done.output
    assert "Vera V" in done.output
    with Ledger(tmp_path / "kept") as store:
        assert store.learners() == []


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


@pytest.mark.parametrize("near", ["Ada", "ada.zip", "a  b", "Zoe\u0308"])
def test_a_later_roster_brings_nobody_whose_files_would_be_anothers(
    near: str, tmp_path: Path
) -> None:
    with Ledger(tmp_path) as store:
        known = [*store.enrol(["ada", "a b", "Zo\xeb"])]
        with pytest.raises(LedgerError, match="would be called"):
            store.enrol(["ada", "new", near])
        assert store.learners() == sorted(known)


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
