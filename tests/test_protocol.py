"""Frames: what is written is read back, and nothing that is read can harm the reader."""

from __future__ import annotations

import json
import os
import struct
import threading
from typing import Any

import pytest
import safetensors.torch
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch import Tensor

from grader.worker import protocol
from grader.worker.protocol import HEADER_SIZE, MAX_JSON, ProtocolError
from grader.worker.skeleton import TREES
from grader.worker.values import MAX_DEPTH, MAX_NODES, WIRE_NAMES, BadTree, simplify
from tests.value_trees import containers, plain_leaves, same, tensors, texts, trees

NONCE = b"n" * protocol.NONCE_SIZE


def decode(frame: bytes) -> Any:
    """One whole frame, as both readers take it apart."""
    _, text, section = protocol.decode_header(frame[:HEADER_SIZE], NONCE)
    if len(frame) != HEADER_SIZE + text + section:
        raise ProtocolError("not one frame")
    middle = HEADER_SIZE + text
    return protocol.decode_body(frame[HEADER_SIZE:middle], frame[middle:])


def frame_of(skeleton: Any, section: bytes = b"") -> bytes:
    """A frame with this skeleton, whatever it is."""
    text = skeleton if isinstance(skeleton, bytes) else json.dumps(skeleton).encode()
    return struct.pack("<4s16sIQ", protocol.MAGIC, NONCE, len(text), len(section)) + text + section


def section_of(header: Any, data: bytes) -> bytes:
    """A tensor section with this header, whatever it is."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


json_trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(texts, children, max_size=3),
    max_leaves=30,
)
# Skeletons that are nearly right: the tags that exist, with any content.
tags = st.sampled_from(["T", "t", "d", "o", "f", "h", "cb", "dtype", "config", "opaque", "x"])
skeletons = st.recursive(
    json_trees, lambda children: st.dictionaries(tags, children, max_size=2), max_leaves=30
)


@given(trees)
def test_what_is_written_is_read_back(tree: Any) -> None:
    assert same(decode(protocol.encode(NONCE, tree)), tree)


@pytest.mark.parametrize("dtype", WIRE_NAMES, ids=str)
def test_a_tensor_is_written_however_it_lies_in_memory(dtype: torch.dtype) -> None:
    whole = torch.arange(24).view(4, 6).to(dtype)
    for part in (whole[::2, ::3], whole.mT, whole[:1, :1], whole[0, ::6], whole[1, 2], whole[:0]):
        assert same(decode(protocol.encode(NONCE, part)), part)


@given(st.recursive(plain_leaves, containers, max_leaves=20))
def test_simplifying_changes_no_plain_tree(tree: Any) -> None:
    assert same(simplify(tree), tree) or "Config" in repr(tree)


@given(st.lists(tensors(), min_size=1, max_size=5))
def test_the_tensors_are_safetensors(given_tensors: list[Tensor]) -> None:
    frame = protocol.encode(NONCE, given_tensors)
    _, text, _ = protocol.decode_header(frame[:HEADER_SIZE], NONCE)
    read = safetensors.torch.load(frame[HEADER_SIZE + text :])
    assert all(same(read[str(i)], tensor) for i, tensor in enumerate(given_tensors))


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    with pytest.raises((ProtocolError, struct.error)):
        decode(data)


@settings(max_examples=300)
@given(trees, st.data())
def test_a_damaged_frame_is_refused_or_read(tree: Any, data: st.DataObject) -> None:
    frame = bytearray(protocol.encode(NONCE, tree))
    for _ in range(data.draw(st.integers(1, 5))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    try:
        read = decode(bytes(frame))
    except ProtocolError:
        return
    protocol.encode(NONCE, read)  # whatever was read is a value tree again


@given(trees, st.data())
def test_a_cut_frame_is_refused(tree: Any, data: st.DataObject) -> None:
    frame = protocol.encode(NONCE, tree)
    end = data.draw(st.integers(0, len(frame) - 1))
    with pytest.raises((ProtocolError, struct.error)):
        decode(frame[:end])


@settings(max_examples=300)
@given(skeletons)
@example({"T": 0})
@example({"T": -1})
@example({"T": True})
@example({"d": [[True, 1]]})
@example({"d": [[[], 1]]})
@example({"f": "1e999"})
@example({"h": 2**70})
@example({"dtype": "__class__"})
@example(2**64)
def test_any_json_is_refused_or_a_value_tree(skeleton: Any) -> None:
    try:
        read = decode(frame_of(skeleton))
    except ProtocolError:
        return
    assert same(decode(protocol.encode(NONCE, read)), read)


sizes = st.integers(-1, 4) | st.sampled_from([2**31, 2**40, 2**48, 2**62, 2**63, 2**64, 1.5, "2"])
entries = st.fixed_dictionaries(
    {
        "dtype": st.sampled_from(["F32", "BOOL", "U8", "F4", "F8_E8M0", "C128", "", 3]),
        "shape": st.lists(sizes, max_size=5) | st.just([1] * 65) | st.just("F32"),
        "data_offsets": st.lists(sizes, min_size=2, max_size=2),
    }
)


@settings(max_examples=300)
@given(
    st.dictionaries(st.sampled_from(["0", "1", "2", "00", "__metadata__", "x"]), entries),
    st.binary(max_size=40),
)
def test_any_tensor_section_is_refused_or_small_tensors(
    header: dict[str, Any], data: bytes
) -> None:
    try:
        read = decode(frame_of([{"T": 0}], section_of(header, data)))
    except ProtocolError:
        return
    assert read[0].numel() * read[0].element_size() <= len(data)


@pytest.mark.parametrize(
    ("header", "data"),
    [
        (b"", b""),
        (b"{}", b""),
        (b"{", b""),
        (b"[" * 10_000, b""),
        ({"0": {"dtype": "F32", "shape": [2**62, 4], "data_offsets": [0, 0]}}, b""),
        ({"0": {"dtype": "F32", "shape": [0, 2**63], "data_offsets": [0, 0]}}, b""),
        ({"0": {"dtype": "F32", "shape": [0, 2**40, 2**40], "data_offsets": [0, 0]}}, b""),
        ({"0": {"dtype": "F32", "shape": [1] * 65, "data_offsets": [0, 4]}}, b"1234"),
        ({"0": {"dtype": "F4", "shape": [2], "data_offsets": [0, 1]}}, b"1"),
        ({"1": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}, b"1"),
        (
            {
                str(i): {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}
                for i in range(TREES * 1000 + 1)
            },
            b"",
        ),
    ],
)
def test_malformed_tensor_sections_are_refused(header: Any, data: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(frame_of([{"T": 0}], section_of(header, data)))


def test_a_section_header_that_promises_much_is_refused_before_it_is_read() -> None:
    section = struct.pack("<Q", 2**40) + b"{}"
    with pytest.raises(ProtocolError, match="too many tensors"):
        decode(frame_of(None, section))


def test_booleans_are_true_or_false_whatever_the_bytes() -> None:
    header = {"0": {"dtype": "BOOL", "shape": [4], "data_offsets": [0, 4]}}
    read = decode(frame_of({"T": 0}, section_of(header, b"\x00\x01\x02\xff")))
    assert read.view(torch.uint8).tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 100_000,
        b'{"t":' * 100_000,
        b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2),
        b"[" + b"0," * (TREES * MAX_NODES) + b"0]",
        b"1" * 5000,
        b"NaN",
        b"Infinity",
        b'"\xff"',
        b"",
        b"1 2",
        b'{"o":{"a":1},"t":[]}',
    ],
)
def test_hostile_json_is_refused(text: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(frame_of(text))


@pytest.mark.parametrize(
    "header",
    [
        struct.pack("<4s16sIQ", b"TCW0", NONCE, 4, 0),
        struct.pack("<4s16sIQ", protocol.MAGIC, b"m" * 16, 4, 0),
        struct.pack("<4s16sIQ", protocol.MAGIC, NONCE, MAX_JSON + 1, 0),
        struct.pack("<4s16sIQ", protocol.MAGIC, NONCE, 4, protocol.MAX_SECTION + 1),
        struct.pack("<4s16sIQ", protocol.MAGIC, NONCE, 2**32 - 1, 2**64 - 1),
    ],
)
def test_headers_are_judged_before_anything_is_allocated(header: bytes) -> None:
    with pytest.raises(ProtocolError):
        protocol.decode_header(header, NONCE)


@pytest.mark.parametrize(
    "tree", [object(), {1.5: 2}, 2**63, [set()], torch.ones(2, dtype=torch.complex128)]
)
def test_what_has_no_place_in_a_tree_is_not_written(tree: Any) -> None:
    with pytest.raises((BadTree, TypeError)):
        protocol.encode(NONCE, tree)


def test_frames_larger_than_a_pipe_arrive_whole() -> None:
    reading, writing = os.pipe()
    big = torch.arange(300_000)
    frame = protocol.encode(NONCE, {"x": big})
    writer = threading.Thread(target=protocol.write_frame, args=(writing, frame))
    writer.start()
    nonce, tree = protocol.read_frame(reading)
    writer.join()
    assert nonce == NONCE and torch.equal(tree["x"], big)
    os.close(writing)
    with pytest.raises(protocol.Closed):
        protocol.read_frame(reading)
    os.close(reading)
