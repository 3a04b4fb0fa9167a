"""The parsers of what strangers send, under a bounded, repeatable rain of damaged input."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.worker.protocol import encode
from grader.worker.values import Callback, Config, simplify
from tests.fuzzed import NONCE, TARGETS
from tests.submitted import notebook_json

CODE = (
    "import torch\ndef softmax(x, dim):\n    return x.exp()\nclass LayerNorm(torch.nn.Module): ..."
)
_bounded = settings(derandomize=True, max_examples=250, suppress_health_check=list(HealthCheck))


def _zip(**members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(f"{name}.ipynb", content)
    return packed.getvalue()


def _answers() -> list[bytes]:
    call = {
        "value": [torch.ones(2, 3), {"a": (1, 2.5, None)}, {3: True}],
        "grads": [None, torch.zeros(2, dtype=torch.float64)],
        "parameter_grads": {"w": torch.zeros(0, 4)},
        "mutated": [0],
        "operators": ["aten::exp"],
    }
    frame = {"label": "cell", "line": 3, "function": "f", "source": "x", "part": "x"}
    problem = {
        "kind": "raised",
        "type": "E",
        "message": "m",
        "where": "call",
        "frames": [frame],
    }
    trees = [{"answer": {"ok": call}}, {"answer": {"error": problem}}]
    trees.append({"callback": 1, "args": (Callback(2), Config({"a": 1})), "kwargs": {}})
    return [encode(NONCE, tree) for tree in trees]


# Sound input of each kind, which is then damaged.
SOUND = {
    "frame": _answers(),
    "body": [frame[32:] for frame in _answers()],
    "notebook": [notebook_json(CODE, "%ls", "x = 1").encode()],
    "script": [CODE.encode(), b"# %%\n" + CODE.encode()],
    "archive": [_zip(a=notebook_json(CODE), b="{}"), b"PK\x05\x06" + bytes(18)],
}


@st.composite
def damaged(draw: st.DrawFn, kind: str) -> bytes:
    """Sound bytes with pieces overwritten, cut out, doubled or put in."""
    data = draw(st.sampled_from(SOUND[kind]))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        size = draw(st.integers(0, 12))
        piece = draw(
            st.binary(max_size=12)
            | st.sampled_from([b"\xff" * 8, b"\0" * 8, b"[" * 60, b'{"t":[', b"9" * 40, b"\\ud800"])
        )
        match draw(st.integers(0, 3)):
            case 0:
                data = data[:at] + piece + data[at + len(piece) :]
            case 1:
                data = data[:at] + data[at + size :]
            case 2:
                data = data[:at] + data[at : at + size] + data[at:]
            case _:
                data = data[:at] + piece + data[at:]
    return data


@pytest.mark.parametrize("kind", TARGETS)
def test_damaged_input_is_refused_or_read(kind: str) -> None:
    @_bounded
    @given(damaged(kind))
    def rain(data: bytes) -> None:
        TARGETS[kind](data)

    rain()


@pytest.mark.parametrize("kind", TARGETS)
def test_any_bytes_are_refused_or_read(kind: str) -> None:
    @_bounded
    @given(st.binary(max_size=200))
    def rain(data: bytes) -> None:
        TARGETS[kind](data)

    rain()


_nodes = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["T", "h", "cb", "o", "config", "t", "d", "f", "dtype", "opaque", "x"]),
            inner,
            max_size=2,
        )
    ),
    max_leaves=12,
)


@_bounded
@given(_nodes)
def test_any_skeleton_is_refused_or_read(node: Any) -> None:
    TARGETS["body"](json.dumps(node).encode())


_trees = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.builds(object)
    | st.sampled_from([torch.ones(2), torch.zeros(0, 3), torch.ones(1).expand(10**9), torch.int8]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3) | st.integers() | st.none(), inner, max_size=3)
    ),
    max_leaves=20,
)


@_bounded
@given(_trees)
def test_whatever_a_learner_returns_can_be_sent(tree: Any) -> None:
    encode(NONCE, {"answer": {"ok": simplify(tree)}})
