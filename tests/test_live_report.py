"""The report that instructors see through the checker: theirs alone, and as the gradebook is."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from grader.cohort.messages import Task, TaskResult
from grader.gradebook.store import Gradebook
from grader.service.app import CheckerService
from grader.service.ledger import Ledger
from grader.service.live_report import LiveReport
from tests.marked import gradebook, recorded


class NoMarking:
    """Takes the place of what marks, which nobody asks here."""

    def run(self, tasks: Iterable[Task]) -> Iterator[TaskResult]:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing was started."""


def basic(token: str) -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(f':{token}'.encode()).decode()}"}


def test_it_is_the_instructors_alone_and_as_of_now(tmp_path: Path) -> None:
    marks, report = tmp_path / "marks", LiveReport(tmp_path / "marks")
    with Ledger(tmp_path / "kept") as store:
        ada, instructors = store.enrol(["ada"])["ada"], store.renew_instructor("Dr B")
        service = CheckerService(store, [NoMarking()], report=report)
        browser = TestClient(service.app())  # no lifespan: nothing is marked here
        for headers in ({}, basic(""), basic(ada), {"Authorization": f"Bearer {instructors}"}):
            answer = browser.get("/report/", headers=headers)
            assert answer.status_code == 401 and "Basic" in answer.headers["www-authenticate"]
        assert browser.get("/report/", headers=basic(instructors)).status_code == 503
        gradebook(marks, recorded("<b>ann</b>", []))
        first = browser.get("/report/", headers=basic(instructors))
        assert first.status_code == 200 and "&lt;b&gt;ann" in first.text
        assert "default-src 'none'" in first.headers["content-security-policy"]
        with Gradebook.open(marks) as book:
            assert [*book.learners()] == ["<b>ann</b>"]
        for path in ("../service.sqlite", "%2e%2e/service.sqlite", "learners/no.html", "x"):
            answer = browser.get(f"/report/{path}", headers=basic(instructors))
            assert answer.status_code == 404, path
        store.renew_instructor("Dr B", revoke=True)
        assert browser.get("/report/", headers=basic(instructors)).status_code == 401
        assert browser.get("/report/", headers=basic("")).status_code == 401
    report.close()


def test_what_is_recorded_since_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.service.live_report._PAUSE", 0.0)
    report = LiveReport(tmp_path)
    gradebook(tmp_path, recorded("ann", []))
    page = report.page("index.html")
    assert page is not None and "bob" not in page
    gradebook(tmp_path, recorded("ann", []), recorded("bob", []))
    page = report.page("index.html")
    assert page is not None and "bob" in page
    report.close()


def test_learners_are_answered_while_the_report_is_written(tmp_path: Path) -> None:
    """Writing takes minutes of a large class, and who looks at pages waits for it."""
    gradebook(tmp_path / "marks", recorded("ada", []))
    report = LiveReport(tmp_path / "marks")
    with Ledger(tmp_path / "kept") as store:
        ada, dr_b = store.enrol(["ada"])["ada"], store.renew_instructor("Dr B")
        service = CheckerService(store, [NoMarking()], report=report)
        learner = {"Authorization": f"Bearer {ada}"}
        with TestClient(service.app()) as browser, ThreadPoolExecutor(60) as many:
            with report._lock:  # as while pages are written
                waiting = [
                    many.submit(browser.get, "/report/", headers=basic(dr_b)) for _ in range(40)
                ]
                mine = many.submit(browser.get, "/mine", headers=learner)
                kept = many.submit(browser.post, "/submit", content=b"PK", headers=learner)
                answered, _ = wait([mine, kept], timeout=60)
            assert [each.result().status_code for each in (mine, kept, *waiting)] == [200] * 42
    assert answered == {mine, kept}
    report.close()


def test_who_has_handed_in_is_told_so_though_the_gradebook_cannot_be_read(tmp_path: Path) -> None:
    gradebook(tmp_path / "marks", recorded("ada", []))
    for path in (tmp_path / "marks").glob("gradebook.sqlite*"):
        path.write_bytes(b"no gradebook" * 999)
    with Ledger(tmp_path / "kept") as store:
        learner = {"Authorization": f"Bearer {store.enrol(['ada'])['ada']}"}
        report = LiveReport(tmp_path / "marks")
        browser = TestClient(CheckerService(store, [NoMarking()], report=report).app())
        answer = browser.get("/mine", headers=learner)
    assert answer.json() == {"learner": "ada", "receipts": [], "asked": []}
    report.close()
