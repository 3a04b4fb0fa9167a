"""What the fuzzers throw things at: each target takes bytes and must neither crash nor grow."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from torch import Tensor

from grader.handed_in.notebook_io import read_notebook, read_script
from grader.submission import load_submission
from grader.wall import answer_forms
from grader.worker.protocol import (
    HEADER_SIZE,
    ProtocolError,
    decode_body,
    decode_header,
    encode,
)
from grader.worker.values import MAX_TENSOR_BYTES, BadTree, simplify

NONCE = bytes(range(16))
EXERCISES = ("softmax", "masked_softmax", "LayerNorm")


def frame(data: bytes) -> None:
    """A frame from a worker, as the examiner reads it; what is read can be written again."""
    if len(data) < HEADER_SIZE:
        return
    try:
        _, text, section = decode_header(data[:HEADER_SIZE], NONCE)
        body = data[HEADER_SIZE : HEADER_SIZE + text]
        tree = decode_body(body, data[HEADER_SIZE + text :][:section])
        kind, content = answer_forms.message(tree)
        if kind == "answer":
            for op in ("load", "read", "call", "construct", "write", "record"):
                _checked(op, content)
    except ProtocolError:
        return
    _again(tree)


def body(data: bytes) -> None:
    """The JSON and the tensors of a frame, parted at the first NUL, where there is one."""
    text, _, section = data.partition(b"\0")
    try:
        tree = decode_body(text, section)
    except ProtocolError:
        return
    _again(tree)


def notebook(data: bytes) -> None:
    """A notebook's file; whatever is in it, its cells are texts that can be cut into slices."""
    read = read_notebook("work.ipynb", data)
    assert all(type(cell.source) is str for cell in read.cells)
    _load("work.ipynb", data)


def script(data: bytes) -> None:
    """A script's file."""
    read_script("work.py", data)
    _load("work.py", data)


def archive(data: bytes) -> None:
    """A zip's file."""
    _load("work.zip", data)


def _checked(op: str, content: dict[str, object]) -> None:
    try:
        answer_forms.check(op, content)
    except ProtocolError:
        return


def _again(tree: object) -> None:
    try:
        whole = encode(NONCE, simplify(tree))
    except (BadTree, ProtocolError):
        return
    assert len(whole) < 4 * MAX_TENSOR_BYTES
    _, text, section = decode_header(whole[:HEADER_SIZE], NONCE)
    back = decode_body(whole[HEADER_SIZE : HEADER_SIZE + text], whole[HEADER_SIZE + text :])
    assert _kinds(back) == _kinds(simplify(tree))
    assert len(whole) == HEADER_SIZE + text + section


def _kinds(tree: object) -> object:
    """The tree with a tensor's shape and type in its place: NaN equals nothing."""
    if isinstance(tree, Tensor):
        return tuple(tree.shape), tree.dtype
    if isinstance(tree, dict):
        return {key: _kinds(part) for key, part in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree), [_kinds(part) for part in tree]
    return repr(tree)


def _load(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        work = load_submission(path, EXERCISES)
        for exercise in EXERCISES:
            work.slice(exercise)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "frame": frame,
    "body": body,
    "notebook": notebook,
    "script": script,
    "archive": archive,
}
