"""One file inside an archive, and the bounds that hold for it, whatever packed it; opens none."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .file_names import NOTEBOOK, suffix_of
from .files import MAX_DEPTH, MAX_FILE_BYTES, MAX_NOTEBOOK_BYTES, MEGABYTE, ParseQuota, Refused

CHUNK = MEGABYTE
_SMALL = 1_000_000  # bytes, which are parsed as they are
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
# What cells and notebooks keep beside their code: outputs, pasted pictures, states of widgets.
_LEFT_OUT = rb'"(?:outputs|attachments|widgets)"\s*+:\s*+[\[{]'
_TEXTS = rb"\[\s*+(?:%s\s*+,?\s*+)*+\]" % _STRING  # printed lines, as one token
_ANY_KEY = re.compile(_LEFT_OUT)
_TOKEN = re.compile(
    rb'(?P<key>%s)|%s|%s|(?P<open>[\[{])|(?P<close>[\]}])|(?P<odd>")'
    % (_LEFT_OUT, _TEXTS, _STRING),
    re.DOTALL,
)


def without_outputs(content: bytes) -> bytes:
    """The same notebook without what it shows, its lines where they were; small ones as they are.

    What is no JSON comes back as it is.
    """
    if len(content) <= _SMALL or not _ANY_KEY.search(content):
        return content
    kept: list[bytes] = []
    begin = depth = 0  # of what is kept; of brackets within what is left out
    for token in _TOKEN.finditer(content):
        kind = token.lastgroup
        if kind == "odd":  # a text without an end
            return content
        if depth:
            depth += (kind in ("key", "open")) - (kind == "close")
            if not depth:
                kept.append(b"\n" * content.count(b"\n", begin, token.start()))
                begin = token.start()
        elif kind == "key":
            kept.append(content[begin : token.end()])
            begin, depth = token.end(), 1
    return content if depth else b"".join([*kept, content[begin:]])


@dataclass(frozen=True)
class Member:
    """A file in an archive; `read` gives its content out of a quota, or raises Refused."""

    name: str
    size: int  # as the archive has it, which may lie
    read: Callable[[ParseQuota], bytes]


def ask_for(name: str, size: int, quota: ParseQuota) -> None:
    """Raises Refused where a file of this name and size is not read, before it is."""
    parts = name.replace("\\", "/").split("/")
    if ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise Refused("points outside of the archive; it is left out")
    if len(parts) > MAX_DEPTH + 1:
        raise Refused("lies too deep in folders; it is left out")
    if size > most_of(name):
        raise Refused(f"unpacks to more than {most_of(name) / MEGABYTE:,.0f} MB; it is left out")
    quota.ask(0 if suffix_of(name) == NOTEBOOK else size)


def most_of(name: str) -> int:
    """The bytes that are read of a file of this name; a notebook may be outputs for the most."""
    return MAX_NOTEBOOK_BYTES if suffix_of(name) == NOTEBOOK else MAX_FILE_BYTES


def taken(name: str, chunks: Iterator[bytes], quota: ParseQuota) -> bytes:
    """What a file's chunks come to, without the outputs of a notebook, out of the quota.

    Raises Refused where they come to more than is read.
    """
    is_notebook = suffix_of(name) == NOTEBOOK
    limit = min(most_of(name), quota.unpacked, *([] if is_notebook else [quota.size]))
    content = bytearray()
    for chunk in chunks:
        content += chunk
        quota.unpacked -= len(chunk)  # of damaged ones too
        if not is_notebook:
            quota.size -= len(chunk)
        if len(content) > limit:
            raise Refused("unpacks to more than it says, or than is read; it is left out")
    found = bytes(content)
    return lean(found, quota) if is_notebook else found


def lean(notebook: bytes, quota: ParseQuota) -> bytes:
    """A notebook without its outputs, which comes out of the quota; raises Refused."""
    left = without_outputs(notebook)
    quota.size -= len(left)
    if len(left) > MAX_FILE_BYTES:
        most = f"{MAX_FILE_BYTES / MEGABYTE:,.0f} MB"
        raise Refused(f"is too large (more than {most} without outputs); it is left out")
    if quota.size < 0:
        quota.ask()  # and all that comes after is refused as well
    return left
