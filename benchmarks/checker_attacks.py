"""Means the checker no good, and counts: killed while it takes hand-ins, flooded, lied to."""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import random
import resource
import socket
import statistics
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from benchmarks.checker import Checker, checker
from grader.service.ledger import Ledger

ZIP = b"PK\x05\x06" + bytes(18)


def asked(
    served: Checker,
    path: str,
    body: object = None,
    token: str = "",
    headers: dict[str, str] | None = None,
) -> tuple[int, bytes]:
    """Status and answer; 0 where the connection was closed without one."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=120)
    try:
        mine = {"Authorization": f"Bearer {token}"} if token else {}
        connection.request(
            "GET" if body is None else "POST", path, body, {**mine, **(headers or {})}
        )
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


def kills(folder: Path, times: int) -> None:
    """kill -9 at a random moment while ten learners hand in; is each receipt honoured?"""
    told: list[tuple[int, str]] = []
    draw = random.Random(1)
    known: list[str] = []
    for turn in range(times):
        with checker(folder, 10, 1) as served:
            served.tokens = known = served.tokens or known  # told once, at the first start
            threads = [
                threading.Thread(target=_hand_in, args=(served, learner, turn, told))
                for learner in range(10)
            ]
            for thread in threads:
                thread.start()
            time.sleep(draw.uniform(0.02, 1.0))
        for thread in threads:
            thread.join()
    lost = 0
    with Ledger(folder / "kept") as store:
        for learner in range(10):
            kept = {receipt.hash for receipt in store.receipts(f"learner{learner}")}
            lost += sum(digest not in kept for who, digest in told if who == learner)
        contents = {hashlib.sha256(each.content).hexdigest() for each in store.hand_ins(every=True)}
    damaged = sum(digest not in contents for _, digest in told)
    print(f"{times} kills: {len(told)} receipts, {lost} not kept, {damaged} not whole")


def _hand_in(served: Checker, learner: int, turn: int, told: list[tuple[int, str]]) -> None:
    for number in range(5):  # an allowance is six a minute, and new after each start
        content = ZIP + f"{learner} {turn} {number} ".encode() * 10_000
        status, answer = asked(served, "/submit", content, served.tokens[learner])
        if status == 200:
            told.append((learner, json.loads(answer)["hash"]))
        elif not status:  # it was killed
            return


def strangers(served: Checker) -> None:
    """No token, a guess, one that is cut; a replay; bodies without end and bodies that crawl."""
    token = served.tokens[0]
    refused = Counter(
        asked(served, path, body, wrong)[0]
        for path, body in (("/check", b"{}"), ("/submit", ZIP), ("/mine", None), ("/report/", None))
        for wrong in ("", "guess", token[:-1], token.swapcase())
    )
    print(f"without a token of one's own: {dict(refused)}")
    first, again = (asked(served, "/submit", ZIP, token) for _ in range(2))
    mine = json.loads(asked(served, "/mine", token=token)[1])["receipts"]
    other = json.loads(asked(served, "/mine", token=served.tokens[1])[1])["receipts"]
    kept = f"kept {len(mine)}, another's {len(other)}"
    print(f"the same sent twice: one receipt {first == again}, {kept}")
    before = _memory(served)
    began = time.perf_counter()
    status = asked(served, "/submit", ZIP, token, {"Content-Length": str(10**9)})[0]
    told = time.perf_counter() - began
    sent = _endless(served, token)
    grown = (_memory(served) - before) / 1e6
    print(f"1 GB announced: {status} after {told * 1e3:.0f} ms; in chunks: cut after {sent:.0f} MB")
    print(f"the checker has grown by {grown:.0f} MB")
    served.seconds(1, 900_000)  # what marks has started
    alone = statistics.median(served.seconds(1, 900_001 + number) for number in range(5))
    began, slow = time.perf_counter(), [_crawl(served, token) for _ in range(200)]
    beside = statistics.median(served.seconds(1, 900_011 + number) for number in range(5))
    print(
        f"beside 200 bodies that crawl, a check takes {beside / alone:.1f} times as long as alone"
    )
    closed = 0
    for each in slow:
        with suppress(OSError):
            closed += not each.recv(1) or each.recv(9) != b""
        each.close()
    print(f"of these {closed} are answered or closed within {time.perf_counter() - began:.0f} s")


def _endless(served: Checker, token: str) -> float:
    """Megabytes that are taken of a body whose length is not told."""
    with socket.create_connection(("127.0.0.1", served.port)) as line:
        head = f"POST /submit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        part = b"100000\r\n" + bytes(2**20) + b"\r\n"
        for sent in range(1_000):
            try:
                line.sendall(part)
            except OSError:
                return sent
    return 1_000


def _crawl(served: Checker, token: str) -> socket.socket:
    """A connection that has announced a body, and sends one byte of it."""
    line = socket.create_connection(("127.0.0.1", served.port), timeout=60)
    head = f"POST /check HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
    line.sendall(f"{head}Content-Length: 1000\r\n\r\n{{".encode())
    return line


def _memory(served: Checker) -> float:
    """Bytes that the checker holds, by Linux\'s own count; its jobs not counted."""
    pages = Path(f"/proc/{served.pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * resource.getpagesize()


def flood(served: Checker, seconds: float) -> None:
    """One learner asks as often as 16 connections can, while another works."""
    alone = [served.seconds(2, 910_000 + number) for number in range(10)]
    until, statuses = time.monotonic() + seconds, Counter[int]()

    def ask() -> None:
        while time.monotonic() < until:
            statuses[asked(served, "/check", b"[]", served.tokens[3])[0]] += 1

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    beside = []
    while time.monotonic() < until:
        beside.append(served.seconds(2, 920_000 + len(beside)))
    for thread in threads:
        thread.join()
    total = sum(statuses.values())
    print(
        f"one learner asks {total / seconds:.0f} times a second for {seconds:g} s: {dict(statuses)}"
    )
    one, other = statistics.median(alone), statistics.median(beside)
    print(f"another's check: {other / one:.1f} times as long as alone, {len(beside)} all answered")


def main() -> None:
    """Print all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kills(Path(folder), given.kills)
    with tempfile.TemporaryDirectory() as folder, checker(Path(folder), 4, 1, 60) as served:
        strangers(served)
        flood(served, given.seconds)


if __name__ == "__main__":
    main()
