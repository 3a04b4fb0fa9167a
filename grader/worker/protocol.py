"""Frames that carry value trees between the two sides; must not trust one that it reads."""

import json
import math
import os
import struct
from typing import Any, NoReturn

import safetensors
import torch
from torch import Tensor

from .skeleton import TREES, pack, unpack
from .values import (
    MAX_ANSWER_BYTES,
    MAX_AXES,
    MAX_NODES,
    MAX_TENSOR_BYTES,
    MAX_TENSORS,
    WIRE_DTYPES,
    WIRE_NAMES,
    BadTree,
    Callback,
    megabytes,
)

# A frame: header, JSON (ASCII), tensors (safetensors named "0", "1", …; nothing if there are none).
MAGIC = b"TCW1"
NONCE_SIZE = 16
_HEADER = struct.Struct(f"<4s{NONCE_SIZE}sIQ")  # magic, nonce, length of JSON, length of tensors
HEADER_SIZE = _HEADER.size
MAX_JSON = 6 * 2**20
MAX_CONTAINERS = 2 * MAX_NODES
MAX_SECTION_HEADER = 2**20
MAX_SECTION = MAX_TENSOR_BYTES + MAX_SECTION_HEADER
MAX_ANSWER_SECTION = 2 * MAX_ANSWER_BYTES + MAX_SECTION_HEADER  # a value, and as much of gradients
MAX_AXIS = 2**48
_FIRST = 2**16
_CHUNK = 2**20


class ProtocolError(Exception):
    """A frame that an honest peer cannot have sent."""


class Closed(Exception):
    """The peer closed the channel between frames."""


def _refuse_constant(name: str) -> NoReturn:
    raise ProtocolError(f"{name} is no JSON")


# Bound now: a learner may replace what these modules hold.
_write_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode
_read_json = json.JSONDecoder(parse_constant=_refuse_constant).decode
_read_sections = safetensors.deserialize
_os_read, _os_write = os.read, os.write
_uint8, _frombuffer, _empty = torch.uint8, torch.frombuffer, torch.empty


def encode(nonce: bytes, tree: Any, most: int = MAX_SECTION) -> bytes:
    """One frame; raises BadTree or ProtocolError on a tree too large to send."""
    return encode_with_callbacks(nonce, tree, most)[0]


def encode_with_callbacks(
    nonce: bytes, tree: Any, most: int = MAX_SECTION
) -> tuple[bytes, list[Callback]]:
    """One frame, and the callbacks whose numbers it gives away."""
    skeleton, tensors, callbacks = pack(tree)
    try:
        text = _write_json(skeleton).encode("ascii")
    except RecursionError:
        raise BadTree("nested too deep") from None
    held = sum(tensor.numel() * tensor.element_size() for tensor in tensors)
    if held > most - MAX_SECTION_HEADER:  # before it is copied
        allowed = megabytes(most - MAX_SECTION_HEADER)
        raise ProtocolError(f"it holds {megabytes(held)} of tensors; at most {allowed} are sent")
    section = _write_tensors(tensors) if tensors else b""
    if len(text) > MAX_JSON or len(section) > most:
        raise ProtocolError("too large to send")
    header = _HEADER.pack(MAGIC, nonce, len(text), len(section))
    return b"".join((header, text, section)), callbacks


def decode_header(
    header: bytes, nonce: bytes | None, most: int = MAX_SECTION
) -> tuple[bytes, int, int]:
    """Nonce and lengths; with a `nonce`, the frame's must be this one."""
    magic, found, text_length, section_length = _HEADER.unpack(header)
    if magic != MAGIC:
        raise ProtocolError("not a frame")
    if nonce is not None and found != nonce:
        raise ProtocolError("an answer to another request")
    if text_length > MAX_JSON or section_length > most:
        raise ProtocolError("a frame beyond the bounds")
    return found, text_length, section_length


def decode_body(text: bytes, section: bytes) -> Any:
    """The value tree of one frame."""
    # Before parsing: a million empty lists are 3 MB of text, but seconds of work.
    if text.count(b"[") + text.count(b"{") > MAX_CONTAINERS:
        raise ProtocolError("too many lists")
    try:
        skeleton = _read_json(text.decode("ascii"))
        return unpack(skeleton, _read_tensors(section) if section else [])
    except (ValueError, RecursionError, BadTree):  # whose words may be the other side's
        raise ProtocolError("a malformed frame") from None


def read_frame(fd: int, nonce: bytes | None = None) -> tuple[bytes, Any]:
    """Wait for one frame; for the worker, whose examiner sends one frame at a time."""
    data = bytearray(_os_read(fd, _FIRST))
    if not data:
        raise Closed
    _fill(fd, data, HEADER_SIZE)
    found, text_length, section_length = decode_header(bytes(data[:HEADER_SIZE]), nonce)
    middle, end = HEADER_SIZE + text_length, HEADER_SIZE + text_length + section_length
    _fill(fd, data, end)
    return found, decode_body(bytes(data[HEADER_SIZE:middle]), bytes(data[middle:end]))


def write_frame(fd: int, frame: bytes) -> None:
    """Write all of a frame."""
    view = memoryview(frame)
    while view:
        view = view[_os_write(fd, view[: 16 * _CHUNK]) :]


def _fill(fd: int, data: bytearray, size: int) -> None:
    while len(data) < size:
        part = _os_read(fd, min(size - len(data), _CHUNK))
        if not part:
            raise ProtocolError("the channel closed within a frame")
        data += part


def _write_tensors(tensors: list[Tensor]) -> bytes:
    """The safetensors format by hand: its own writer takes four times as long for small tensors."""
    parts, entries, start = [], [], 0
    for index, tensor in enumerate(tensors):
        data = _bytes(tensor)
        shape = ",".join(map(str, tensor.shape))
        entries.append(
            f'"{index}":{{"dtype":"{WIRE_NAMES[tensor.dtype]}","shape":[{shape}],'
            f'"data_offsets":[{start},{start + len(data)}]}}'
        )
        parts.append(data)
        start += len(data)
    header = ("{" + ",".join(entries) + "}").encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + b"".join(parts)


def _bytes(tensor: Tensor) -> bytes:
    if tensor.dtype not in WIRE_NAMES:
        raise BadTree(f"a tensor of {tensor.dtype}")
    plain = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous()
    data: bytes = plain.unsqueeze(-1).view(_uint8).numpy().tobytes()  # NumPy has no bfloat16
    return data


def _read_tensors(section: bytes) -> list[Tensor]:
    if int.from_bytes(section[:8], "little") > MAX_SECTION_HEADER:
        raise ProtocolError("too many tensors")
    try:
        entries = dict(_read_sections(section))
    except safetensors.SafetensorError:
        raise ProtocolError("malformed tensors") from None
    if len(entries) > TREES * MAX_TENSORS:
        raise ProtocolError("too many tensors")
    if any(str(index) not in entries for index in range(len(entries))):
        raise ProtocolError("tensors of unknown names")
    return [_tensor(entries[str(index)]) for index in range(len(entries))]


def _tensor(entry: dict[str, Any]) -> Tensor:
    dtype, shape, data = WIRE_DTYPES.get(entry["dtype"]), entry["shape"], entry["data"]
    if dtype is None or len(shape) > MAX_AXES:
        raise ProtocolError("a tensor of unknown type")
    if math.prod(shape) * dtype.itemsize != len(data) or max(shape, default=0) > MAX_AXIS:
        raise ProtocolError("a tensor whose shape and bytes differ")
    try:
        if not data:
            return _empty(shape, dtype=dtype)
        if dtype is torch.bool:  # any byte but 0 and 1 would be neither true nor false
            return (_frombuffer(data, dtype=_uint8) != 0).reshape(shape)
        return _frombuffer(data, dtype=dtype).reshape(shape)
    except (RuntimeError, TypeError, ValueError):  # no elements, but strides beyond 64 bits
        raise ProtocolError("a tensor of impossible shape") from None
