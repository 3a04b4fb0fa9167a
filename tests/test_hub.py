"""The checker as a service of JupyterHub: whose a token is, and what is said of other tokens."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from grader.curriculum.complaint import Complaint
from grader.service.app import CheckerService
from grader.service.hub import HubService, HubUsers
from grader.service.ledger import Ledger
from tests.bundles import bundle, run
from tests.test_live_report import NoMarking

MAY = "access:services!service=checker"
TOLD = {
    "JUPYTERHUB_API_URL": "http://127.0.0.1:1/hub/api",
    "JUPYTERHUB_SERVICE_NAME": "checker",
    "JUPYTERHUB_SERVICE_PREFIX": "/services/checker/",
    "JUPYTERHUB_SERVICE_URL": "http://127.0.0.1:8321",
}


def user(name: Any, *scopes: str, kind: str = "user") -> tuple[int, Any]:
    return 200, {"kind": kind, "name": name, "admin": False, "scopes": list(scopes)}


# By token: status and content of JupyterHub's answer.
USERS = {
    "ada's": user("ada", MAY, "users:activity!user=ada"),
    "ada's other": user("ada", MAY),
    "an admin's": user("root@example.org", "access:services"),
    "no scope": user("mallory", "access:services!service=other", "access:servers!user=mallory"),
    "a service's": user("cull", MAY, kind="service"),
    "no file": user("../etc", MAY),
    "the same file": user("GRACE", MAY),
    "no JSON": (200, "<html>"),
    "no user": (200, ["ada"]),
    "no scopes": (200, {"kind": "user", "name": "ada", "scopes": None}),
    "broken": (500, {}),
    "elsewhere": (302, {}),
}


@contextmanager
def jupyterhub() -> Iterator[tuple[HubService, list[str]]]:
    """What answers as JupyterHub's API does, and the tokens that it was asked about."""
    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, _, token = self.headers["Authorization"].partition(" ")
            asked.append(token)
            found = USERS.get(token, (403, {"status": 403, "message": "Forbidden"}))
            status, content = (
                found if (self.path, kind) == ("/hub/api/user", "token") else (404, {})
            )
            self.send_response(status)
            self.end_headers()
            text = content if isinstance(content, str) else json.dumps(content)
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        address = f"http://127.0.0.1:{server.server_port}/hub/api"
        try:
            yield HubService.from_environment({**TOLD, "JUPYTERHUB_API_URL": address}), asked
        finally:
            server.shutdown()


@contextmanager
def service(told: HubService, store: Ledger) -> Iterator[TestClient]:
    users = HubUsers(told, store)
    try:  # no lifespan: nothing is marked here
        yield TestClient(CheckerService(store, [NoMarking()], hub=users).app())
    finally:
        users.close()


def mine(client: TestClient, token: str) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {token}".encode("latin-1")}
    answer = client.get("/services/checker/mine", headers=headers)
    return answer.status_code, answer.json()


REFUSED = [
    ("guessed", 401, "stop your server and start it again"),
    ("", 401, "does not know this token"),
    ("\u00e9", 401, "Neither the checker nor JupyterHub knows"),
    ("no scope", 403, f"the scope {MAY} is missing"),
    ("a service's", 403, "no learner's"),
    ("no file", 403, "is no name for a file"),
    ("the same file", 403, "another learner's files"),
    ("no JSON", 503, "Try again"),
    ("no user", 503, "Try again"),
    ("no scopes", 503, "Try again"),
    ("broken", 503, "Try again"),
    ("elsewhere", 503, "Try again"),
]


def test_a_users_token_is_a_learners(tmp_path: Path) -> None:
    with jupyterhub() as (told, asked), Ledger(tmp_path) as store, service(told, store) as client:
        graces = store.enrol(["grace"])["grace"]
        assert mine(client, graces)[1]["learner"] == "grace"
        assert asked == []  # a token of the roster's is nobody else's business
        for token, learner in (("ada's", "ada"), ("an admin's", "root@example.org")):
            assert mine(client, token) == (200, {"learner": learner, "receipts": [], "asked": []})
        handed_in = client.post(
            "/services/checker/submit",
            content=b"PK\x05\x06" + bytes(18),
            headers={"Authorization": "Bearer ada's"},
        )
        assert mine(client, "ada's other")[1]["receipts"] == [handed_in.json()]
        assert mine(client, graces)[1]["receipts"] == []
        assert asked.count("ada's") == 1  # what was said holds for a while
        for token, status, words in REFUSED:
            refused, said = mine(client, token)
            assert refused == status and words in said["error"], (token, said)
        assert store.learners() == ["ada", "grace", "root@example.org"]
        assert client.get("/mine", headers={"Authorization": "Bearer ada's"}).status_code == 404


def test_what_jupyterhub_said_holds_no_longer_than_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.service.hub._HOLDS", -1.0)
    with jupyterhub() as (told, asked), Ledger(tmp_path) as store, service(told, store) as client:
        assert [mine(client, "ada's")[0] for _ in range(2)] == [200, 200]
        assert asked == ["ada's", "ada's"]


def test_without_jupyterhub_a_rosters_token_holds(tmp_path: Path) -> None:
    with jupyterhub() as (told, _):
        pass  # it has ended
    with Ledger(tmp_path) as store, service(told, store) as client:
        assert mine(client, store.enrol(["ada"])["ada"])[0] == 200
        assert mine(client, "ada's")[0] == 503


@pytest.mark.parametrize("name", TOLD)
@pytest.mark.parametrize("value", ["", "no address", "http://["])
def test_what_jupyterhub_did_not_start_says_so(name: str, value: str) -> None:
    environment = {**TOLD, name: value}
    if value and name.endswith(("NAME", "PREFIX")):
        assert HubService.from_environment(environment)
    else:
        with pytest.raises(Complaint, match=r"--hub is for|must be addresses|must name a host"):
            HubService.from_environment(environment)


TOKEN = "from grader.notebook.bundle import settings; print(repr(settings.token()))"


@pytest.mark.parametrize("is_hubs", [True, False])
def test_a_servers_token_is_told_to_the_hubs_checker_alone(is_hubs: bool, tmp_path: Path) -> None:
    address = "http://127.0.0.1:9/services/checker"
    course = bundle(tmp_path / "course", last="00", checker=address, hub=is_hubs)
    own = {"JUPYTERHUB_API_TOKEN": "a server's"}
    assert run(course, TOKEN, **own).strip() == repr("a server's" if is_hubs else "")
    assert run(course, TOKEN, **own, GRADER_CHECKER="http://127.0.0.1:8").strip() == "''"
    assert run(course, TOKEN, **own, GRADER_TOKEN="a learner's").strip() == repr("a learner's")
