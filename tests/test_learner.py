"""Without a checker, a bundle's check finds fault with no right exercise and with broken ones."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from grader.candidate.records import CheckOutcome
from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus
from grader.notebook.bundle.checker_client import CheckerError, ask, patiently
from grader.notebook.bundle.command import main
from grader.notebook.bundle.forms import form_of
from grader.notebook.bundle.without_answers import NotStarted, look_at
from grader.notebook.own_code import cells_for
from tests.submitted import write_notebook

NOTHING_IS_KNOWN = {"load_bert_weights", "MaskedLanguageModel"}  # they need another exercise


def faults(name: str, exercise: Any) -> dict[str, str]:
    form = form_of(name)
    assert form is not None
    looked = look_at(form, exercise)
    return {each.title: each.message for each in looked if each.outcome is CheckOutcome.FAILED}


@pytest.mark.parametrize("name", syllabus().names)
def test_no_fault_is_found_with_a_right_exercise(name: str) -> None:
    if form_of(name) is None:
        assert name in NOTHING_IS_KNOWN
    else:
        assert faults(name, reference(name)) == {}


class Deaf(nn.Module):
    """One head that does not look at its mask."""

    def __init__(self, embed_dim: int, head_dim: int) -> None:
        super().__init__()
        self.map = nn.Linear(embed_dim, head_dim)

    def forward(self, hidden_state: torch.Tensor, mask: Any = None) -> torch.Tensor:
        return self.map(hidden_state)


def in_place(x: torch.Tensor, dim: int) -> torch.Tensor:
    return x.exp_().div_(x.sum(dim, keepdim=True))


FAULTY = [
    ("softmax", lambda x, dim: x.sum(dim), "The result has the shape"),
    ("softmax", lambda x, dim: x.double(), "The result has the shape"),
    ("softmax", lambda values, dim: values, "It can be called"),
    ("softmax", lambda x, dim: x / 0, "Every number is finite."),
    ("softmax", lambda x, dim: x.detach().exp(), "Gradients flow."),
    ("softmax", lambda x, dim: x - x.mean(0), "Sentences of a batch do not mix."),
    ("softmax", lambda x, dim: x.cumsum(1), "Tokens in another order"),
    ("softmax", in_place, "No input is changed."),
    ("softmax", lambda x, dim: {}["x"], "It can be called"),
    ("softmax", lambda x, dim: 1.0, "The result has the shape"),
    ("masked_softmax", lambda scores, mask: scores.softmax(-1), "The mask makes a difference."),
    ("AttentionHead", Deaf, "The mask makes a difference."),
    ("AttentionHead", nn.Linear, "It can be called"),
    ("spot_softmax", lambda candidate: 1, "It takes and gives"),
    ("pad_batch", lambda sequences, pad_id: sequences, "It takes and gives"),
]


@pytest.mark.parametrize(("name", "exercise", "title"), FAULTY)
def test_what_no_right_exercise_does_is_found(name: str, exercise: Any, title: str) -> None:
    found = faults(name, exercise)
    assert any(each.startswith(title) for each in found), found
    assert all(found.values())


def stub(x: torch.Tensor, dim: int) -> torch.Tensor:
    raise NotImplementedError


def test_a_stub_is_no_fault() -> None:
    with pytest.raises(NotStarted):
        faults("softmax", stub)


def test_what_is_saved_is_sent_and_read_anew_once_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    masked = "def masked_softmax(scores, mask): return softmax(scores, -1)"
    names: dict[str, Any] = {}
    exec(masked, names)
    (tmp_path / "gone.ipynb").symlink_to("nowhere")
    for softmax in ("def softmax(x, dim): return x", "def softmax(x, dim): return x.exp()"):
        write_notebook(tmp_path / "04_softmax.ipynb", "import torch", softmax, masked)
        cells = cells_for("masked_softmax", names["masked_softmax"])
        assert [cell.source for cell in cells] == [softmax, masked]


class Busy(BaseHTTPRequestHandler):
    """Answers every second question; the one before was asked too soon."""

    asked = 0

    def do_GET(self) -> None:
        Busy.asked += 1
        self.send_response(429 if Busy.asked % 2 else 200)
        self.send_header("Retry-After", self.path.strip("/"))
        self.end_headers()
        self.wfile.write(b'{"error": "too soon", "receipts": []}')

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@pytest.mark.parametrize("after", ["0", "61", "soon"])
def test_who_asked_too_often_waits_as_long_as_the_checker_says(
    after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_TOKEN", "x")
    with ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("GRADER_CHECKER", address)
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        Busy.asked = 0
        try:
            assert patiently(lambda: ask(f"/{after}"))["receipts"] == [] and after == "0"
        except CheckerError as error:
            assert str(error) == "too soon" and after != "0"
        finally:
            server.shutdown()


class Elsewhere(BaseHTTPRequestHandler):
    """Whatever stands where a checker should: its status is the first part of the path."""

    def do_GET(self) -> None:
        status = int(self.path.split("/")[1])
        self.send_response(status)
        self.send_header("Location", "/200/login")
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


SAID = [
    ("/503", "is not running. Try again in a minute."),
    ("/502", "is not running. Try again in a minute."),
    ("/200", "is no checker. Tell your instructor."),
    ("/302", "is no checker. Tell your instructor. (Its status is 302.)"),
    ("/404", "is no checker. Tell your instructor. (Its status is 404.)"),
]


@pytest.mark.parametrize(("path", "said"), SAID)
def test_what_is_no_checker_is_said_in_words(
    path: str, said: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_TOKEN", "x")
    monkeypatch.setenv("GRADER_CHECKER", elsewhere + path)
    with pytest.raises(CheckerError) as error:
        ask("/mine")
    assert str(error.value).endswith(f" at {elsewhere}{path} {said}")


def test_what_speaks_no_http_is_no_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    def greet(listening: socket.socket) -> None:
        with listening.accept()[0] as caller:
            caller.recv(4096)
            caller.sendall(b"SSH-2.0-OpenSSH\r\n")

    monkeypatch.setenv("GRADER_TOKEN", "x")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setenv("GRADER_CHECKER", f"http://127.0.0.1:{listening.getsockname()[1]}")
        threading.Thread(target=greet, args=(listening,)).start()
        with pytest.raises(CheckerError, match="is no checker"):
            ask("/mine")


def test_nobody_answering_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_TOKEN", "x")
    monkeypatch.setenv("GRADER_CHECKER", "http://127.0.0.1:1")
    with pytest.raises(CheckerError, match=r"reached \(Connection refused\)\. Try again"):
        ask("/mine")


NOT_DONE = [
    (["check", "gone.ipynb"], "there is no gone.ipynb"),
    (["check"], "holds no exercise that is begun"),
    (["check", "stub.ipynb"], "stub.ipynb holds no exercise that is begun"),
    (["login", "a token"], "cannot be reached (Connection refused)"),
    (["receipts"], "No receipts to show"),
    (["submit"], "Nothing was handed in"),
    (["submit", "own.py"], "There is no file own.py."),
]


@pytest.mark.parametrize(("line", "said"), NOT_DONE)
def test_what_a_command_could_not_do_it_says(
    line: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_notebook(tmp_path / "stub.ipynb", "def softmax(x, dim): raise NotImplementedError")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("GRADER_CHECKER", "http://127.0.0.1:1")
    monkeypatch.setattr("sys.argv", ["grader", *line])
    with pytest.raises(SystemExit) as ended:
        main()
    shown = capsys.readouterr()
    assert ended.value.code == 2 and said in shown.out + shown.err
    assert "a token" not in shown.out + shown.err
